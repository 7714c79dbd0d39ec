/**
 * - `markup`: HTML that does something where it is taken for HTML.
 * - `link`: leads somewhere hostile once it is a link, most as markdown.
 * - `image`: fetches from elsewhere without a click.
 * - `quiet`: does nothing by itself where text is escaped well once, but fools the eye, breaks a
 *   layout, or does something where it is escaped badly, decoded twice or used as a pattern or key.
 */
export type PayloadKind = "markup" | "link" | "image" | "quiet";

/** A text that somebody hostile could put wherever a text is shown. */
export interface Payload {
  /** Differs from all others; what a run reports, and the last part of the address it fetches. */
  name: string;
  kind: PayloadKind;
  /** At most 1,500 bytes: a form with it in all its fields must stay under the limit of a prompt. */
  text: string;
}

/** What a text can do to be noticed. */
export interface Canary {
  /** A script, without quotes that are double and without spaces. */
  run: string;
  /** An address outside; nothing may ever be fetched from it. */
  url: string;
}

/** Makes the payloads of one kind from their names. */
export function payloads(
  kind: PayloadKind,
  texts: Record<string, (canary: Canary) => string>,
): Payload[] {
  return Object.entries(texts).map(([name, text]) => {
    const canary = { run: `__xss('${name}')`, url: `https://canary.invalid/${name}` };
    return { name, kind, text: text(canary) };
  });
}
