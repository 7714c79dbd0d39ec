import { visibleText } from "../client/index.ts";
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
function Facts({ request: { context, toolInput } }: { request: InteractionRequest }) {
  // A runtime may pass on what the model wrote into the input: that is no fact, and stands there.
  const written = new Set(Object.values(toolInput ?? {}));
  const facts = FACTS.filter(
    ([, key]) =>
      context?.[key] !== undefined && !(key === "description" && written.has(context[key])),
  );
  if (facts.length === 0) return null;
  return (
    <dl className="bk-facts" data-beckon-facts="">
      {facts.map(([name, key]) => (
        <div key={key}>
          <dt>{name}</dt>
          <dd>{visibleText(context?.[key] ?? "", { multiline: true })}</dd>
        </div>
      ))}
    </dl>
  );
}

const FACTS = [
  ["Asked by", "askedBy"],
  ["Folder", "cwd"],
  ["Blocked path", "blockedPath"],
  ["What", "title"],
  ["Details", "description"],
  ["Why it asks", "reason"],
] as const;
