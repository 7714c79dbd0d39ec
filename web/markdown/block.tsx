import type { Token, Tokens } from "marked";
import type { ReactNode } from "react";
import { CodeBlock } from "./code-block.tsx";
import { renderInline } from "./inline.tsx";

const DEEPEST = 20;

/** One block as elements. Nothing of it ever becomes HTML text, so nothing in it can become markup. */
export function renderBlock(token: Token, depth = 0): ReactNode {
  if (depth > DEEPEST) return <p className="whitespace-pre-wrap">{token.raw}</p>;
  switch (token.type) {
    case "heading":
      // One level for all: the outline of the page stays ours.
      return <h3 data-depth={token["depth"]}>{renderInline(token.tokens ?? [])}</h3>;
    case "paragraph":
      return <p>{renderInline(token.tokens ?? [])}</p>;
    case "text":
      return token.tokens ? <span>{renderInline(token.tokens)}</span> : token["text"];
    case "code":
      return <CodeBlock text={token["text"]} language={languageOf(token as Tokens.Code)} />;
    case "blockquote":
      return <blockquote>{renderBlocks(token.tokens ?? [], depth + 1)}</blockquote>;
    case "list":
      return <List list={token as Tokens.List} depth={depth} />;
    case "table":
      return <Table table={token as Tokens.Table} />;
    case "hr":
      return <hr />;
    case "space":
    case "def":
      return null;
    case "checkbox":
      return renderInline([token]);
    default:
      return <p className="whitespace-pre-wrap">{token.raw}</p>;
  }
}

function renderBlocks(tokens: Token[], depth: number): ReactNode[] {
  return tokens.map((token, at) => <Part key={at} token={token} depth={depth} />);
}

function Part({ token, depth }: { token: Token; depth: number }) {
  return renderBlock(token, depth);
}

function languageOf({ lang }: Tokens.Code): string {
  return /^[\w+#.-]{1,30}/.exec(lang ?? "")?.[0] ?? "";
}

function List({ list, depth }: { list: Tokens.List; depth: number }) {
  const items = list.items.map((item, at) => (
    <li key={at} className={item.task ? "list-none" : undefined}>
      {renderBlocks(item.tokens, depth + 1)}
    </li>
  ));
  if (!list.ordered) return <ul>{items}</ul>;
  return <ol start={typeof list.start === "number" ? list.start : 1}>{items}</ol>;
}

function Table({ table }: { table: Tokens.Table }) {
  const cells = (row: Tokens.TableCell[], Cell: "th" | "td") =>
    row.map((cell, at) => (
      <Cell key={at} data-align={cell.align ?? undefined}>
        {renderInline(cell.tokens)}
      </Cell>
    ));
  return (
    <div className="table-scroll" tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>{cells(table.header, "th")}</tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            <tr key={at}>{cells(row, "td")}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
