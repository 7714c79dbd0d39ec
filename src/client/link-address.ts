/** The address that a link leads to, as a browser reads it; nothing where it cannot be opened. */
export function linkAddress(url: string): URL | undefined {
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : undefined;
}
