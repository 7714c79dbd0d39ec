import { visibleText } from "../client/index.ts";
import { factsOf } from "../client/prompt-facts.ts";
import type { InteractionRequest } from "../protocol/index.ts";
import { AgentSays } from "./agent-says.tsx";
import { LinkOut } from "./link-out.tsx";

/** What is known of a call, what its asker says of it, and where it leads. */
export function AboutCall({ request }: { request: InteractionRequest }) {
  return (
    <>
      <Facts request={request} />
      <AgentSays request={request} />
      {request.link && <LinkOut url={request.link.url} />}
    </>
  );
}

/** From the server, never from the agent: they stand apart from what it says about itself. */
function Facts({ request }: { request: InteractionRequest }) {
  const facts = factsOf(request);
  if (facts.length === 0) return null;
  return (
    <dl className="bk-facts" data-beckon-facts="">
      {facts.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{visibleText(text, { multiline: true })}</dd>
        </div>
      ))}
    </dl>
  );
}
