import type { Sender } from "../protocol/index.ts";
import type { AgentMessage } from "./agent.ts";

/** A stored message, as the agent of its session is told it. */
export function toAgentMessage(stored: {
  text: string;
  messageId: string;
  sender?: Sender;
}): AgentMessage {
  const { text: words, messageId, sender } = stored;
  const text = sender?.kind === "machine" ? markedAsProgram(words, sender) : words;
  return { text, words, messageId, ...(sender ? { sender } : {}) };
}

/** Every line is quoted, so that no line of a program can pass for the user's. */
function markedAsProgram(words: string, { id, name }: Sender): string {
  const quoted = words.split(/\r\n|[\n\r\u2028\u2029]/u).map((line) => `> ${line}`);
  const program = JSON.stringify(name ?? id);
  return [
    `This message comes from a program (${program}), not from the user. The program wrote:`,
    ...quoted,
  ].join("\n");
}
