/**
 * Text of others on its way to a terminal: control, bidi and zero-width characters become escapes
 * that can be seen, so that they can neither hide words nor move the cursor.
 */
export function visible(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
