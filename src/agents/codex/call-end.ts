import type { CallEnd } from "../../core/index.ts";
import type { RolloutEntry } from "./rollout-entry.ts";
import { SHELL } from "./rollout-entry.ts";
import { type ContentPart, keptContent } from "../cli/kept-content.ts";
import type { CodexItem, McpContent } from "./events.ts";

/** What a call may put into the log: this much of its beginning, and of its end. */
const PART_CHARACTERS = 32 * 1024;

export function clipped(text: string): string {
  const left = text.length - 2 * PART_CHARACTERS;
  if (left <= 0) return text;
  // No half of a character stays where it is cut.
  const head = text.slice(0, PART_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "");
  const tail = text.slice(-PART_CHARACTERS).replace(/^[\uDC00-\uDFFF]/, "");
  return `${head}\n[${left} characters left out]\n${tail}`;
}

/** How a call ended, as Codex tells of it while it runs. */
export function endOfItem(item: CodexItem): CallEnd {
  const { type, status, aggregated_output: output, exit_code: exitCode } = item;
  if (status === "declined") return failed("tool_denied", "Codex did not run it.");
  if (type === "command_execution") {
    return { ok: true, result: { output: clipped(output ?? ""), exitCode: exitCode ?? null } };
  }
  const message = item.error?.message;
  if (message !== undefined) return failed("tool_error", clipped(message));
  if (status === "failed") return failed("tool_error", "Codex could not do it.");
  const content = item.result?.content?.map(toPart);
  return { ok: true, result: content === undefined ? null : keptContent(content) };
}

function toPart({ type, text = "", mimeType, data }: McpContent): ContentPart {
  if (type !== "image" || mimeType === undefined || data === undefined) {
    return { type: "text", text: clipped(text) };
  }
  return { type, mimeType, data };
}

const EXIT = /^(?:Process exited with code|Exit code:) (-?\d+)$/m;
const BODY = /(?:^|\n)Output:\n([\s\S]*)$/;

/** How a call ended, as Codex told the model. */
export function endOfEntry({ use, output = "" }: RolloutEntry): CallEnd {
  const [, body = output] = BODY.exec(output) ?? [];
  if (use?.toolName !== SHELL) return { ok: true, result: clipped(body) };
  const [, code] = EXIT.exec(output) ?? [];
  if (code === undefined) return failed("tool_error", clipped(output));
  return { ok: true, result: { output: clipped(body), exitCode: Number(code) } };
}

function failed(code: string, message: string): CallEnd {
  return { ok: false, error: { code, message } };
}
