/** The icon of the tab, with how much waits on it. */
export function showFavicon(waiting: number): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link) link.href = waiting === 0 ? "/icon.svg" : withCount(waiting);
}

function withCount(waiting: number): string {
  const text = waiting > 9 ? "9+" : String(waiting);
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
    '<rect width="32" height="32" rx="9" fill="#b45309"/>' +
    '<text x="16" y="23" font-family="system-ui,sans-serif" font-size="19" font-weight="700"' +
    ` fill="#fff" text-anchor="middle">${text}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
