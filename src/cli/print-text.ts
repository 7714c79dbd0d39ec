import type { Io } from "./io.ts";
import { visibleLines } from "./visible-lines.ts";

/** Text of others: as it is for a program, and harmless for a terminal. */
export function printText(io: Io, text: string): void {
  io.out(io.isTerminal ? visibleLines(text).join("\n") : text);
}
