const ALLOWED = new Set(["http:", "https:", "mailto:"]);

/** The address of a link that may be followed, or undefined: other schemes and relative ones stay text. */
export function safeLink(href: string): string | undefined {
  try {
    const url = new URL(href);
    return ALLOWED.has(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}
