import type { CallEnd } from "../../core/index.ts";
import type { FileChange } from "../../protocol/index.ts";
import { type ContentPart, keptContent } from "../cli/kept-content.ts";
import type { ContentBlock, ResultPart } from "./sdk.ts";

type ToolResult = Extract<ContentBlock, { type: "tool_result" }>;

/** How a call ended, as Claude Code tells its model. */
export function toEnd(block: ToolResult, refusal: string | undefined): CallEnd {
  if (!block.is_error) return { ok: true, result: resultOf(block.content) };
  const message = textOf(block.content).replace(/^<tool_use_error>([^]*)<\/tool_use_error>$/, "$1");
  return { ok: false, error: { code: refusal ?? "tool_error", message } };
}

function resultOf(content: ToolResult["content"]): unknown {
  if (content === undefined || typeof content === "string") return content ?? "";
  return keptContent(content.map(toPart));
}

function toPart({ type, text = `[${type}]`, source }: ResultPart): ContentPart {
  if (type !== "image" || source?.type !== "base64") return { type: "text", text };
  return { type, mimeType: source.media_type ?? "", data: source.data ?? "" };
}

/** The words of a result. */
export function textOf(content: ToolResult["content"]): string {
  if (content === undefined || typeof content === "string") return content ?? "";
  return content.map((part) => part.text ?? `[${part.type}]`).join("\n");
}

interface Done {
  filePath?: unknown;
  content?: unknown;
  originalFile?: unknown;
  structuredPatch?: unknown;
}

interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
}

/** What a call has done to a file, as Claude Code tells beside its result. */
export function changesDone(told: unknown): FileChange[] | undefined {
  const { filePath: path, content, originalFile, structuredPatch } = (told ?? {}) as Done;
  if (typeof path !== "string" || !Array.isArray(structuredPatch)) return undefined;
  const hunks = structuredPatch as Hunk[];
  if (originalFile === null && typeof content === "string") {
    return [{ path, kind: "add", newText: content }];
  }
  if (hunks.length === 0) return undefined;
  const diff = hunks.map((hunk) => {
    const { oldStart, oldLines, newStart, newLines, lines } = hunk;
    const head = `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`;
    return [head, ...lines].join("\n");
  });
  return [{ path, kind: "edit", diff: diff.join("\n") }];
}
