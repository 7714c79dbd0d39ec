import { endWords, senderName, usageWords, visibleText } from "../../client/index.ts";
import { decisionWords } from "../../client/decision-words.ts";
import { endedWords } from "../../client/elsewhere-words.ts";
import type { ChatEvent, EventPayload } from "../../protocol/index.ts";
import { visibleLines } from "../visible-lines.ts";
import { cut } from "../width.ts";
import { titleOf } from "./title.ts";

/** How much of a call's input or result stands on its line; `--json` has all of it. */
const GIST_COLUMNS = 100;

/** An event as a person reads it: when, what kind, and what it says; further lines are indented. */
export function toEventLines(event: ChatEvent): string[] {
  const told = tell(event);
  if (!told) return [];
  const [kind, text] = told;
  const time = new Date(event.timestamp).toTimeString().slice(0, 8);
  const [first = "", ...more] = visibleLines(text);
  const head = `${time}  ${kind.padEnd(8)}`;
  return [
    `${head}  ${first}`.trimEnd(),
    ...more.map((line) => `${" ".repeat(20)}${line}`.trimEnd()),
  ];
}

function tell(event: ChatEvent): [kind: string, text: string] | undefined {
  switch (event.type) {
    case "user_message":
      return tellMessage(event.payload);
    case "text":
      return ["text", event.payload.text];
    case "thinking":
      return ["thinking", event.payload.text];
    case "turn_start":
      return ["turn", "begins"];
    case "turn_end":
      return [
        "turn",
        [event.payload.status, usageWords(event.payload)].filter(Boolean).join(" · "),
      ];
    case "tool_call":
      return ["call", `${event.payload.toolName} ${gist(event.payload.input)}`];
    case "tool_result": {
      const { toolName, ok, result, error } = event.payload;
      const end = ok ? gist(result) : toEnd(error?.code ?? "", error?.message);
      return ["result", `${toolName} ${end}`];
    }
    case "interaction_request": {
      const { interactionId } = event.payload;
      return ["asks", `${titleOf(event.payload)}\nAnswer with: beckon answer ${interactionId}`];
    }
    case "interaction_response":
      return ["answer", decisionWords(event.payload, "name")];
    case "interaction_closed":
      return ["closed", endedWords(event.payload.reason, event.payload.action) ?? ""];
    case "interaction_pending": {
      const { pending, queued, orphaned } = event.payload;
      if (pending || (!queued && !orphaned)) return undefined;
      return ["waits", "The agent did not wait. The answer will reach it as a message."];
    }
    case "error":
      return ["error", event.payload.message];
  }
}

function tellMessage(message: EventPayload<"user_message">): [kind: string, text: string] {
  const { source, sender, text } = message;
  const from = senderName(sender);
  const words = from === undefined ? text : `${from}: ${text}`;
  return [source === "late_answer" ? "late" : "message", words];
}

/** A person's no, a time-out and a stop are no failures. */
function toEnd(code: string, message = code): string {
  return `${(endWords(code) ?? "failed").toLowerCase()}: ${message}`;
}

function gist(value: unknown): string {
  return value === undefined ? "" : cut(visibleText(JSON.stringify(value)), GIST_COLUMNS);
}
