import { expect, test } from "vitest";
import { codeIn, readHere } from "../../test/support/guide-folder.ts";
import { defineTool, type ToolContext, type ToolDefinition } from "../core/index.ts";
import { checkDurableTool } from "./index.ts";

/* What docs/guide/durable-tools.md calls wrong breaks the rule, and what it calls right keeps all. */

const page = await readHere("docs/guide/durable-tools.md");
const [, rules = ""] = page.split("\n## The rules\n");

const FORM = {
  type: "input",
  inputSchema: {
    type: "form",
    fields: [
      { id: "name", type: "text", label: "Name" },
      { id: "password", type: "secret", label: "Password" },
    ],
  },
} as const;
const FILLED_IN = { name: "Ada", password: "open sesame" };

/** What a snippet takes for granted, and how often it changed the world. */
function createSurroundings() {
  let effects = 0;
  let draws = 0;
  return {
    effects: () => effects,
    names: {
      form: FORM,
      to: "ada@example.com",
      text: "Hello",
      takeSample: () => 1,
      countFiles: () => 3,
      logIn: () => "account 1",
      mail: { send: () => void effects++ },
      startShell: () => (effects++, { run: (command: string) => `ran ${command}` }),
      // As bad as chance can be.
      Math: { random: () => ++draws % 2 },
    },
  };
}

const AsyncFunction = (async () => {}).constructor as FunctionConstructor;

/** The tool that a snippet is the handler of, or that it defines. */
async function toTool(snippet: string, names: object): Promise<ToolDefinition> {
  const tool = {
    name: "tried",
    description: "Does what a snippet does.",
    parameters: {},
    durable: "replay" as const,
    version: "1",
    handler(_args: unknown, ctx: ToolContext) {
      const ask = (prompt: string, more: object = {}) =>
        ctx.requestInteraction({
          type: "approval",
          prompt,
          ...more,
          onResponse: ({ action }) => ({ complete: action }),
        });
      const work = new AsyncFunction("ctx", "ask", ...Object.keys(names), snippet);
      return work(ctx, ask, ...Object.values(names));
    },
  };
  if (!snippet.startsWith("defineTool(")) return defineTool(tool);
  const { version: _version, ...order } = { ...tool, handler: () => null };
  return new AsyncFunction("defineTool", "order", `return ${snippet}`)(defineTool, order);
}

async function brokenBy(snippet: string): Promise<string[]> {
  const { effects, names } = createSurroundings();
  const report = await checkDurableTool(await toTool(snippet, names), {
    answers: ({ interactionType }) =>
      interactionType === "approval"
        ? { action: "approve" }
        : { action: "submit", input: FILLED_IN },
    effects,
  });
  return [...new Set([...report.broken, ...report.advice].map(({ rule }) => rule))];
}

const told = rules.split(/^(?=\*\*\d+\. )/m).slice(1);

test("there are eight rules", () => {
  expect(told).toHaveLength(8);
});

test.each(told.map((rule) => [rule.slice(2, rule.indexOf("**", 2)), rule]))(
  "%s",
  async (_, rule) => {
    const [, names = "`effect_outside_step`"] = /^\*\*[^*]*\*\* \((`[^)]*`)\)/.exec(rule) ?? [];
    const [, wrong = "", right = ""] = (codeIn(rule)[0] ?? "").split(/^\/\/ (?:wrong|right).*\n/m);
    expect((await brokenBy(wrong)).toSorted()).toEqual(
      names.split(", ").map((name) => name.replaceAll("`", "")),
    );
    expect(await brokenBy(right)).toEqual([]);
  },
);
