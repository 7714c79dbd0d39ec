import type { CallEnd } from "../../core/index.ts";
import type { FileChange } from "../../protocol/index.ts";
import type { ContentBlock } from "./sdk.ts";

type ToolResult = Extract<ContentBlock, { type: "tool_result" }>;

/** How a call ended, as Claude Code tells its model. */
export function toEnd(block: ToolResult, refusal: string | undefined): CallEnd {
  if (!block.is_error) return { ok: true, result: resultOf(block.content) };
  const message = textOf(block.content).replace(/^<tool_use_error>([^]*)<\/tool_use_error>$/, "$1");
  return { ok: false, error: { code: refusal ?? "tool_error", message } };
}

/** Of images in one result at most so much is kept, as base64: every client is sent all of it. */
const MOST_IMAGE_CHARACTERS = 512 * 1024;

const SHOWN = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Text; with images a list of both, as MCP has it. */
function resultOf(content: ToolResult["content"]): unknown {
  if (typeof content === "string" || !content?.some(({ source }) => source?.type === "base64")) {
    return textOf(content);
  }
  let room = MOST_IMAGE_CHARACTERS;
  const parts = content.map((part) => {
    const { source: { media_type: mimeType = "", data = "" } = {} } = part;
    if (part.type !== "image") return { type: "text", text: part.text ?? `[${part.type}]` };
    if (!SHOWN.has(mimeType)) return { type: "text", text: `[${mimeType}]` };
    if (data.length > room) {
      const kilobytes = Math.ceil((data.length * 3) / 4 / 1024);
      return { type: "text", text: `[An image of ${kilobytes} KiB, too large to be kept here]` };
    }
    room -= data.length;
    return { type: "image", mimeType, data };
  });
  return { content: parts };
}

function textOf(content: ToolResult["content"]): string {
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
