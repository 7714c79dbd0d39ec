import { idKey, keyOf, type NativeEntry } from "../cli/native-history.ts";

/** One thing that was said or done, as Codex's own history tells it. */
export interface RolloutEntry extends NativeEntry {
  kind: "text" | "user" | "call";
  /** Its line, and the one at which it was done. */
  at: number;
  doneAt?: number;
  /** What was said. */
  text: string;
  /** Where it is a call: the model's own id, what was called, and what came of it. */
  callId?: string;
  use?: ToolUse;
  output?: string;
}

export interface ToolUse {
  toolName: string;
  input: Record<string, unknown>;
}

interface Payload {
  type?: unknown;
  item?: { type?: unknown; content?: unknown };
  call_id?: unknown;
  name?: unknown;
  namespace?: unknown;
  arguments?: unknown;
  input?: unknown;
  output?: unknown;
}

export const SHELL = "shell";
export const PATCH = "apply_patch";

/** The key of a use of a tool where no id is known to both sides. */
export function useKey({ toolName, input }: ToolUse): string {
  return keyOf(toolName, toolName === SHELL ? String(input["command"]) : "");
}

export function toEntry(record: unknown, at: number): RolloutEntry | undefined {
  const payload = payloadOf(record);
  const said = toSaid(payload);
  if (said) return { ...said, at, doneAt: at, keys: [keyOf(said.kind, said.text)] };
  const use = toUse(payload);
  const callId = payload?.call_id;
  if (!use || typeof callId !== "string") return undefined;
  return { kind: "call", text: "", at, callId, use, keys: [idKey(callId), useKey(use)] };
}

/** What came of a call, as the model was told. */
export function toOutput(record: unknown): { callId: string; text: string } | undefined {
  const payload = payloadOf(record);
  const { type, call_id: callId, output } = payload ?? {};
  if (type !== "function_call_output" && type !== "custom_tool_call_output") return undefined;
  return typeof callId === "string" ? { callId, text: textOf(output) } : undefined;
}

function payloadOf(record: unknown): Payload | undefined {
  const { payload } = (record ?? {}) as { payload?: Payload | null };
  return typeof payload === "object" && payload !== null ? payload : undefined;
}

function toSaid(payload: Payload | undefined): Pick<RolloutEntry, "kind" | "text"> | undefined {
  if (payload?.type !== "item_completed") return undefined;
  const text = textOf(payload.item?.content);
  if (text.trim() === "") return undefined;
  if (payload.item?.type === "AgentMessage") return { kind: "text", text };
  return payload.item?.type === "UserMessage" ? { kind: "user", text } : undefined;
}

/** Which tools' uses people are told of: commands, changes of files and tools of MCP servers. */
function toUse(payload: Payload | undefined): ToolUse | undefined {
  const { type, name, namespace, input } = payload ?? {};
  if (type === "custom_tool_call" && name === PATCH) {
    return { toolName: PATCH, input: { patch: textOf(input) } };
  }
  if (type !== "function_call" || typeof name !== "string") return undefined;
  const given = parseArguments(payload?.arguments);
  if (typeof namespace === "string" && namespace.startsWith("mcp__")) {
    return { toolName: `${namespace}__${name}`, input: given };
  }
  const command = commandOf(given);
  const isCommand = ["exec_command", "shell_command", "shell"].includes(name);
  return isCommand && command !== undefined ? { toolName: SHELL, input: { command } } : undefined;
}

function parseArguments(given: unknown): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(String(given));
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}

function commandOf(given: Record<string, unknown>): string | undefined {
  const command = given["cmd"] ?? given["command"];
  if (Array.isArray(command)) return String(command.at(-1) ?? "");
  return typeof command === "string" ? command : undefined;
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const texts = content.map((part: { text?: unknown } | null) => part?.text);
  return texts.filter((text) => typeof text === "string").join("");
}
