import type { BlockView, ChatView, InteractionView } from "../client/index.ts";
import type { Question, Sender } from "../protocol/index.ts";

/** One use of a tool, flat: for lists of messages that know no turns and blocks. */
export interface ToolCallState {
  toolCallId: string;
  toolName: string;
  /** JSON text. */
  input: string;
  /** JSON text, or what went wrong. */
  result?: string;
  /** `pending`: it waits for people. */
  status: "pending" | "running" | "complete" | "error";
  /** What it asks, if it asked anything: its last prompt. */
  interactiveType?: "question" | "approval" | "form";
  questions?: Question[];
  /** The whole prompt, for a card that shows all of its states. */
  interaction?: InteractionView;
}

export interface ChatMessage {
  id: string;
  role: "user" | "assistant";
  content: string;
  /** Of a message with role `user`: a person, or a program. Missing in logs of version 0.1.0. */
  sender?: Sender;
  toolCalls: ToolCallState[];
  /** What went wrong in it. */
  error?: string;
}

/** A view as messages: what a person or a program wrote is one, what the agent does until the next is one. */
export function toMessages(view: ChatView): ChatMessage[] {
  const messages: ChatMessage[] = [];
  for (const turn of view.turns) {
    let current: ChatMessage | undefined;
    for (const block of turn.blocks) {
      if (block.kind === "message") {
        current = undefined;
        const { id, text: content, sender } = block;
        messages.push({ id, role: "user", content, ...(sender && { sender }), toolCalls: [] });
        continue;
      }
      if (!current) {
        current = { id: block.id, role: "assistant", content: "", toolCalls: [] };
        messages.push(current);
      }
      add(current, block, view);
    }
  }
  return messages;
}

function add(message: ChatMessage, block: BlockView, view: ChatView): void {
  if (block.kind === "text") message.content += (message.content === "" ? "" : "\n\n") + block.text;
  else if (block.kind === "error") message.error = block.message;
  else if (block.kind === "questionnaire")
    message.toolCalls.push(...toToolCall(view, block.callId));
  else if (block.kind === "tools")
    message.toolCalls.push(...block.callIds.flatMap((id) => toToolCall(view, id)));
}

const STATUS = { waiting: "pending", running: "running", ok: "complete", error: "error" } as const;

function toToolCall(view: ChatView, callId: string): ToolCallState[] {
  const call = view.calls.get(callId);
  if (!call) return [];
  const interaction = view.interactions.get(call.interactionIds.at(-1) ?? "");
  const result = call.error ? call.error.message : toText(call.result);
  return [
    {
      toolCallId: call.id,
      toolName: call.name,
      input: toText(call.input) ?? "",
      ...(result === undefined ? {} : { result }),
      status: STATUS[call.status],
      ...(interaction && { interaction, interactiveType: typeOf(interaction) }),
      ...(interaction?.request.questions && { questions: interaction.request.questions }),
    },
  ];
}

function typeOf({ request }: InteractionView): ToolCallState["interactiveType"] {
  if (request.interactionType === "approval") return "approval";
  return request.questions ? "question" : "form";
}

function toText(value: unknown): string | undefined {
  return typeof value === "string" ? value : JSON.stringify(value);
}
