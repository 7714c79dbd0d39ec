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

/** More marks on one letter than any language has (Unicode's UTS #39) pile up over what is around. */
const STACKED = /(?<=[\p{Mn}\p{Me}]{4})[\p{Mn}\p{Me}]/u;

/** What joins or colours an emoji is seen in it: there it hides nothing. */
const IN_EMOJI =
  /(?<=\p{Extended_Pictographic})\uFE0F|(?<=\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?)\u200D(?=\p{Extended_Pictographic})/u;

const ESCAPED = new RegExp(`(?<emoji>${IN_EMOJI.source})|${HIDDEN.source}|${STACKED.source}`, "gu");

/** The text with each character that is not seen as it is replaced by an escape of it. */
export function escapeHidden(text: string, escape: (character: string) => string): string {
  return text.replaceAll(ESCAPED, (one, emoji: string | undefined) => emoji ?? escape(one));
}

/** An escape of a character as it stands in source code, so that it can also be read aloud. */
function toEscape(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
}

/** `multiline` keeps line breaks and tabs, for views that show several lines. */
export function visibleText(text: string, { multiline = false } = {}): string {
  return escapeHidden(text, (one) =>
    multiline && (one === "\n" || one === "\t") ? one : toEscape(one),
  );
}

/** Whether anything in it would not be seen as it is. */
export function hidesSomething(text: string): boolean {
  return visibleText(text, { multiline: true }) !== text;
}
