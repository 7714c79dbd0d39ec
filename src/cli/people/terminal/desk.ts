import type { Transport } from "../../../transport/index.ts";
import { left } from "../times.ts";
import type { Drafts } from "./drafts.ts";
import type { Keyboard } from "./keyboard.ts";
import type { Paper } from "./layout.ts";
import type { Screen } from "./screen.ts";

/** Where a person sits and answers. */
export interface Desk {
  screen: Screen;
  keyboard: Keyboard;
  line: Transport;
  drafts: Drafts;
}

export const paperOf = ({ screen }: Desk): Paper => ({
  columns: screen.columns,
  style: screen.style,
});

/** By the server's clock. */
export const nowAt = ({ line }: Desk): number => line.serverNow?.() ?? Date.now();

/** What stands above the keys: how long there is, and whether the server can be reached. */
export function statusLines(desk: Desk, expiresAt?: string): string[] {
  const { style } = desk.screen;
  const time = left(expiresAt, nowAt(desk));
  const { state } = desk.line.connection();
  return [
    ...(time === undefined ? [] : [`  ${style.dim("Time left ")}  ${time}`]),
    ...(state === "online" ? [] : [style.red("  The server is away; trying again.")]),
  ];
}
