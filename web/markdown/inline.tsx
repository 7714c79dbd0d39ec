import type { Token, Tokens } from "marked";
import type { ReactNode } from "react";
import { decodeEntities } from "./entities.ts";
import { safeLink } from "./safe-link.ts";

/** Deeper than anybody writes; what nests further is shown as it was typed. */
const DEEPEST = 40;

export function renderInline(tokens: readonly Token[], depth = 0): ReactNode[] {
  return tokens.map((token, at) => <Inline key={at} token={token} depth={depth} />);
}

function Inline({ token, depth }: { token: Token; depth: number }): ReactNode {
  const inside = (parent: { tokens?: Token[]; raw: string }) =>
    depth < DEEPEST && parent.tokens ? renderInline(parent.tokens, depth + 1) : parent.raw;
  switch (token.type) {
    case "text":
      return token.tokens ? inside(token) : decodeEntities(token["text"]);
    case "escape":
      return token["text"] as string;
    case "strong":
      return <strong>{inside(token)}</strong>;
    case "em":
      return <em>{inside(token)}</em>;
    case "del":
      return <del>{inside(token)}</del>;
    case "codespan":
      return <code>{token["text"]}</code>;
    case "br":
      return <br />;
    case "link":
      return <Link href={(token as Tokens.Link).href}>{inside(token)}</Link>;
    case "image": {
      const { href, text } = token as Tokens.Image;
      return <Link href={href}>{`Image: ${decodeEntities(text) || href}`}</Link>;
    }
    case "checkbox":
      return (
        <span aria-label={token["checked"] ? "done" : "to do"}>
          {token["checked"] ? "☑ " : "☐ "}
        </span>
      );
    default:
      // HTML among it: never markup, always text.
      return token.raw;
  }
}

function Link({ href, children }: { href: string; children: ReactNode }) {
  const safe = safeLink(href);
  if (!safe) return <span>{children}</span>;
  return (
    <a href={safe} title={safe} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
