import { askerSays, visibleText } from "../client/index.ts";
import type { InteractionRequest } from "../protocol/index.ts";

/** The words of whoever asks, an agent or a program, apart from what the server knows. */
export function AgentSays({ request }: { request: InteractionRequest }) {
  const says = askerSays(request);
  if (!says) return null;
  return (
    <figure className="bk-says" aria-label={visibleText(says.who)}>
      <figcaption>{visibleText(says.who)}</figcaption>
      <blockquote>{visibleText(says.words, { multiline: true })}</blockquote>
    </figure>
  );
}
