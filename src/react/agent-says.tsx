import { visibleText } from "../client/index.ts";

/** The agent's own words, apart from what the server knows. */
export function AgentSays({ text }: { text: string }) {
  return (
    <figure className="bk-says" aria-label="What the agent says">
      <figcaption>The agent says</figcaption>
      <blockquote>{visibleText(text, { multiline: true })}</blockquote>
    </figure>
  );
}
