import { askerSays, visibleText } from "../client/index.ts";
import type { InteractionRequest } from "../protocol/index.ts";
import { useBeckon } from "./transport-context.tsx";

/** The words of whoever asks, an agent, a program or a tool, apart from what the server knows. */
export function AgentSays({ request }: { request: InteractionRequest }) {
  const { markdown } = useBeckon();
  const isPlan = request.kind === "plan";
  return askerSays(request).map(({ who, words }) => (
    <figure
      key={words}
      className={isPlan ? "bk-says bk-plan" : "bk-says"}
      aria-label={visibleText(who)}
    >
      <figcaption>{visibleText(who)}</figcaption>
      {isPlan && markdown ? (
        markdown(words)
      ) : (
        <blockquote>{visibleText(words, { multiline: true })}</blockquote>
      )}
    </figure>
  ));
}
