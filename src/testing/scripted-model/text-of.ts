/** The words of what a runtime sends as one text, or in parts. */
export function textOf(content: string | { text?: string }[] | undefined): string {
  if (content === undefined) return "";
  if (typeof content === "string") return content;
  return content.map((part) => part.text ?? "").join("\n");
}
