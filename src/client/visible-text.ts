/*
 * Text in which nothing hides. What is approved must look like what runs: characters that draw
 * nothing, reorder what is around them or move the cursor become escapes that can be seen.
 */

/**
 * Control, format, surrogate and private characters, line separators, and tags and variation
 * selectors, which draw nothing by themselves. Then letters and marks that look like empty space,
 * and every space that is not the common one: those can pass for it and are not it.
 */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}]|(?! )\p{Zs}/u;

/** What joins or colours an emoji is seen in it: there it hides nothing. */
const IN_EMOJI =
  /(?<=\p{Extended_Pictographic})\uFE0F|(?<=\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?)\u200D(?=\p{Extended_Pictographic})/u;

const HIDDEN_OR_EMOJI = new RegExp(`(?<emoji>${IN_EMOJI.source})|${HIDDEN.source}`, "gu");

/** An escape of a character as it stands in source code, so that it can also be read aloud. */
function escape(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
}

/** `multiline` keeps line breaks and tabs, for views that show several lines. */
export function visibleText(text: string, { multiline = false } = {}): string {
  return text.replaceAll(HIDDEN_OR_EMOJI, (one, emoji: string | undefined) => {
    const isSeen = emoji !== undefined || (multiline && (one === "\n" || one === "\t"));
    return isSeen ? one : escape(one);
  });
}

/** Whether anything in it would not be seen as it is. */
export function hidesSomething(text: string): boolean {
  return visibleText(text, { multiline: true }) !== text;
}
