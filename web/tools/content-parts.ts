import { asRecord } from "./as-record.ts";

/** A part of a result that is a list of texts and images, as MCP has it. */
export type ContentPart = { text: string } | { image: string };

/** What a page may draw from an address that holds the image itself. */
const MIME_TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** The parts of a result with images; nothing where it has none, or is of another shape. */
export function toContentParts(result: unknown): ContentPart[] | undefined {
  const content = asRecord(result)?.["content"];
  if (!Array.isArray(content)) return undefined;
  const parts = content.map(toPart);
  return parts.some((part) => "image" in part) ? parts : undefined;
}

function toPart(given: unknown): ContentPart {
  const { type, text, mimeType, data } = asRecord(given) ?? {};
  const isImage = type === "image" && typeof mimeType === "string" && MIME_TYPES.has(mimeType);
  if (isImage && typeof data === "string" && /^[A-Za-z0-9+/]+=*$/.test(data)) {
    return { image: `data:${mimeType};base64,${data}` };
  }
  return { text: typeof text === "string" ? text : JSON.stringify(given) };
}
