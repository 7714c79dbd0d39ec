/** Copies. A page that came over plain HTTP has no clipboard, but can copy what is selected. */
export async function copyText(text: string): Promise<void> {
  // A browser leaves it out there, whatever its type says.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard) return clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  const before = document.activeElement;
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  if (!copied) throw new Error("The browser did not copy.");
}
