import { memo, useState } from "react";
import { renderBlock } from "./block.tsx";
import { type Block, BlockParser } from "./parse-blocks.ts";

/** Markdown that may still be growing: only its last block is read and drawn again. */
export function Markdown({ text, streaming = false }: { text: string; streaming?: boolean }) {
  const [parser] = useState(() => new BlockParser());
  return (
    <div className="prose">
      {parser.parse(text, streaming).map((block) => (
        <MarkdownBlock key={block.at} token={block.token} />
      ))}
    </div>
  );
}

const MarkdownBlock = memo(function MarkdownBlock({ token }: Pick<Block, "token">) {
  return renderBlock(token);
});
