import { visibleText } from "../client/index.ts";
import type { InteractionRequest } from "../protocol/index.ts";

/** The words of whoever asks, an agent or a program from outside, apart from what the server knows. */
export function AgentSays({ request: { prompt, context } }: { request: InteractionRequest }) {
  if (prompt === undefined) return null;
  const who = context?.askedBy === undefined ? "agent" : "asker";
  return (
    <figure className="bk-says" aria-label={`What the ${who} says`}>
      <figcaption>The {who} says</figcaption>
      <blockquote>{visibleText(prompt, { multiline: true })}</blockquote>
    </figure>
  );
}
