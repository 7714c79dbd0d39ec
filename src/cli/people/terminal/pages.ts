import type { TerminalUi } from "./terminal-ui.ts";

/** Room for the keys below the last page. */
const ROOM = 10;

/**
 * Prints lines that may be more than the screen holds, one screen at a time: what can be decided
 * comes after the last one. False if the person does not want to see it all.
 */
export async function printPages(
  { screen, keyboard }: TerminalUi,
  lines: string[],
  signal: AbortSignal,
): Promise<boolean> {
  const page = Math.max(6, screen.rows - 2);
  const whole = Math.max(6, screen.rows - ROOM);
  let from = 0;
  while (lines.length - from > whole) {
    screen.print(lines.slice(from, from + page));
    from = Math.min(lines.length, from + page);
    if (from === lines.length) break;
    const remaining = lines.length - from;
    screen.show(() => ({
      lines: [screen.style.bold(`  ${remaining} more lines · Space shows them · Esc back`)],
    }));
    for (;;) {
      const key = await keyboard.next(signal);
      if (key.name === "escape") return false;
      if (key.text === " " || key.name === "down" || key.name === "enter") break;
    }
    screen.clear();
  }
  screen.print(lines.slice(from));
  return true;
}
