import type { NativeUse, Turn } from "../../core/index.ts";

/*
 * An agent that Beckon runs calls our tools over MCP, with the token that its turn was lent. Its
 * runtime names them `mcp__beckon__NAME`; people see them by their own names.
 */

/** How the runtime calls our MCP server. */
export const SERVER = "beckon";
const PREFIX = `mcp__${SERVER}__`;
/** As long as a timer of the runtime can be, in milliseconds. */
export const PATIENCE_MS = 20 * 24 * 60 * 60 * 1_000;

/** Where a process with this environment finds our tools. Nothing where no server listens. */
export function ourServer(
  env: Record<string, string | undefined>,
): { url: string; headers: Record<string, string> } | undefined {
  const { BECKON_URL: url } = env;
  if (url === undefined) return undefined;
  return {
    url: new URL("/mcp", url).href,
    headers: { "x-beckon-caller": "runtime", "x-wait-ms": "never" },
  };
}

/** Whether a tool of the runtime's is one of ours. */
export function isOurTool(toolName: string): boolean {
  return toolName.startsWith(PREFIX);
}

/** A turn whose runtime has our tools, if it has them: it tells of ours by their own names. */
export async function withOurNames(
  turn: Turn,
  env: Record<string, string | undefined>,
): Promise<Turn> {
  if (!ourServer(await turn.environment(env))) return turn;
  return Object.create(turn, {
    startCall: { value: (use: NativeUse) => turn.startCall(named(use)) },
    startInput: {
      value: (use: Parameters<Turn["startInput"]>[0]) => turn.startInput(named(use)),
    },
  }) as Turn;
}

function named<Use extends { toolName: string }>(use: Use): Use & { isOurs?: boolean } {
  const { toolName } = use;
  if (!isOurTool(toolName)) return use;
  return { ...use, toolName: toolName.slice(PREFIX.length), isOurs: true };
}
