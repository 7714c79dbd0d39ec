/** A part of a result, as MCP has it. */
export type ContentPart =
  | { type: "text"; text: string }
  | { type: "image"; mimeType: string; data: string };

/** Of the images in one result at most so much is kept, as base64: every client is sent all of it. */
const MOST_IMAGE_CHARACTERS = 512 * 1024;

/** What every page may draw. */
const SHOWN = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/**
 * A result as the log keeps it: its text, or with images a list of both. An image that is too large,
 * or that no page would draw, is told of in words.
 */
export function keptContent(parts: ContentPart[]): unknown {
  let room = MOST_IMAGE_CHARACTERS;
  const kept = parts.map((part): ContentPart => {
    if (part.type === "text") return part;
    const { mimeType, data } = part;
    if (!SHOWN.has(mimeType)) return { type: "text", text: `[${mimeType}]` };
    if (data.length > room) {
      const kilobytes = Math.ceil((data.length * 3) / 4 / 1024);
      return { type: "text", text: `[An image of ${kilobytes} KiB, too large to be kept here]` };
    }
    room -= data.length;
    return part;
  });
  if (kept.some(({ type }) => type === "image")) return { content: kept };
  return kept.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}
