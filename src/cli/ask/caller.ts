import type { Io } from "../io.ts";

/** Long enough to know a command by, and short enough for a header. */
const COMMAND_CHARACTERS = 1_000;

export interface Caller {
  toolCallId?: string;
  command: string;
}

/**
 * In the shell of an agent: which of its tool calls runs this command, as far as one can tell. A
 * hint for the server, which can show a prompt where it was asked.
 */
export function findCaller(io: Io, args: readonly string[]): Caller | undefined {
  if (!io.env["BECKON_SESSION_ID"]) return undefined;
  // Codex tells its commands the model's id of the call, by which the session knows it too.
  const toolCallId = io.env["BECKON_TOOL_CALL_ID"] || io.env["CODEX_TOOL_CALL_ID"];
  const command = ["beckon", ...args.map(quoted)].join(" ");
  return {
    ...(toolCallId ? { toolCallId } : {}),
    command: Array.from(command).slice(0, COMMAND_CHARACTERS).join(""),
  };
}

/** The same as headers, where the body is not ours. */
export function callerHeaders(io: Io, args: readonly string[]): Record<string, string> {
  const caller = findCaller(io, args);
  if (!caller) return {};
  const { toolCallId = "" } = caller;
  return {
    ...(/^[!-~]+$/.test(toolCallId) ? { "x-caller-tool-call-id": toolCallId } : {}),
    "x-caller-command": encodeURIComponent(caller.command),
  };
}

/** As somebody would have written it in a shell. */
function quoted(argument: string): string {
  if (/^[\w@%+=:,./-]+$/.test(argument)) return argument;
  return `"${argument.replaceAll(/["\\$`]/g, String.raw`\$&`)}"`;
}
