import { askerSays, visibleText } from "../client/index.ts";
import type { InteractionRequest } from "../protocol/index.ts";

/** The words of whoever asks, an agent, a program or a tool, apart from what the server knows. */
export function AgentSays({ request }: { request: InteractionRequest }) {
  return askerSays(request).map(({ who, words }) => (
    <figure key={words} className="bk-says" aria-label={visibleText(who)}>
      <figcaption>{visibleText(who)}</figcaption>
      <blockquote>{visibleText(words, { multiline: true })}</blockquote>
    </figure>
  ));
}
