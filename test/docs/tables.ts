import type { Option } from "commander";
import { serveCommand } from "../../src/cli/serve.ts";
import { QUOTAS } from "../../src/protocol/index.ts";
import { OPERATIONS } from "../../src/server/openapi/operations.ts";

/** Every table that is made from the sources, by the name that a page has for it. */
const TABLES: Record<string, () => string> = {
  routes: () =>
    table(
      ["route", "needs", "does"],
      OPERATIONS.map(({ route, needs = "credential", summary, stream }) => [
        `\`${route}\``,
        NEEDS[needs],
        stream === undefined ? summary : `${summary}; also as an event stream`,
      ]),
    ),
  "serve-options": () =>
    table(
      ["option", "default", "is"],
      serveOptions().map((option) => [
        `\`${option.flags}\``,
        defaultOf(option),
        escaped(option.description),
      ]),
    ),
  quotas: () =>
    table(
      ["quota", "a person", "a machine", "a bound token", "all machines"],
      Object.entries(QUOTAS).map(([name, { person, machine, bound, machines }]) =>
        [`\`${name}\``].concat(
          [person, machine, bound, machines].map((limit) => amount(name, limit)),
        ),
      ),
    ),
};

/** A limit as people read it. */
function amount(quota: string, limit: number): string {
  if (limit === Infinity) return "";
  if (!quota.startsWith("bytes")) return limit.toLocaleString("en-US");
  const [gib, mib] = [1024 ** 3, 1024 ** 2];
  return limit % gib === 0 ? `${limit / gib} GiB` : `${limit / mib} MiB`;
}

const NEEDS = { nothing: "nothing", credential: "a token", person: "a person" } as const;

const PLACE = /(<!-- made by npm run docs: ([\w-]+) -->\n)[\s\S]*?(\n<!-- end -->)/g;

/** The page with its tables as the sources say. */
export function withTables(page: string): string {
  return page.replaceAll(PLACE, (_all, begin: string, name: string, end: string) => {
    const make = TABLES[name];
    if (!make) throw new Error(`No table is called "${name}".`);
    return `${begin}\n${make()}${end}`;
  });
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |\n`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("");
}

function serveOptions(): readonly Option[] {
  const io = {
    out: () => {},
    err: () => {},
    env: {},
    stopSignal: () => new AbortController().signal,
  };
  return serveCommand(io).options;
}

function defaultOf({ defaultValue, defaultValueDescription, negate }: Option): string {
  const shown = defaultValueDescription ?? (negate ? undefined : defaultValue);
  return shown === undefined ? "" : `\`${String(shown)}\``;
}

function escaped(text: string): string {
  return text.replaceAll("|", "\\|");
}
