import { realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { type AskingPrograms, parseAskingCommand, type ToolDefinition } from "./core/index.ts";

/** One folder up both from the sources and from the build. */
const PROGRAM = fileURLToPath(new URL("../bin/beckon.js", import.meta.url));

interface Options {
  /** Where this server listens, if it does. */
  address: () => string | undefined;
  findOperation: (plugin: string, id: string) => ToolDefinition | undefined;
}

/**
 * Commands that can do nothing but ask are run by this very program, with the words that were read.
 * The text of such a command is given to no shell, so it does not matter what a shell, a PATH or a
 * folder would take `beckon` for.
 */
export function createAskingPrograms({ address, findOperation }: Options): AskingPrograms {
  const read = (command: string) =>
    address() === undefined ? undefined : parseAskingCommand(command);

  function programFor(command: string): string[] | undefined {
    const asking = read(command);
    return asking && [process.execPath, PROGRAM, ...asking.args];
  }

  /** An operation that neither asks for approval nor is there to ask may have any effect. */
  function onlyAsks(command: string): boolean {
    const asking = read(command);
    if (!asking?.operation) return asking !== undefined;
    const tool = findOperation(asking.operation.plugin, asking.operation.id);
    return tool?.approval !== undefined || tool?.onlyAsks === true;
  }

  return {
    programFor,
    onlyAsks,
    environment: ENVIRONMENT,
    lineFor(command, { sessionId, toolCallId, folder }) {
      const program = onlyAsks(command) ? programFor(command) : undefined;
      if (!program || canChange(folder)) return undefined;
      const environment = {
        ...ENVIRONMENT,
        BECKON_URL: address() ?? "",
        BECKON_SESSION_ID: sessionId,
        BECKON_TOOL_CALL_ID: toolCallId,
      };
      const set = Object.entries(environment).map(([name, value]) => `${name}=${quoted(value)}`);
      return [...set, ...program.map(quoted)].join(" ");
    },
  };
}

/** Nothing is loaded into the program, and without a lent token it finds no other one. */
const ENVIRONMENT = { NODE_OPTIONS: "", BECKON_DATA: "/dev/null" };

/** For a shell: a quoted word is no alias, no keyword and no pattern. */
const quoted = (word: string) => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** What the program is made of: our folder, with the packages that it was installed beside; and Node. */
function partsOfProgram(): string[] {
  const ours = dirname(dirname(realpathSync(PROGRAM)));
  const [before = ours, ...installed] = ours.split(`${sep}node_modules${sep}`);
  const folder = installed.length === 0 ? ours : join(before, "node_modules");
  return [folder, realpathSync(process.execPath)];
}

/** Whether who may change files in a folder may change the program. What cannot be told, may. */
function canChange(folder: string): boolean {
  try {
    const at = realpathSync(folder);
    return partsOfProgram().some((part) => isWithin(at, part) || isWithin(part, at));
  } catch {
    return true;
  }
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`);
}
