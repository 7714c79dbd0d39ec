import { afterTimeout } from "../../../client/index.ts";
import type { InteractionRecord } from "../../../protocol/index.ts";
import type { Transport } from "../../../transport/index.ts";
import { left } from "../times.ts";
import type { Drafts } from "./drafts.ts";
import type { Keyboard } from "./keyboard.ts";
import { type TextLayout, typed } from "./layout.ts";
import type { Screen } from "./screen.ts";

/** The terminal in which a person answers prompts, and the transport that carries the answers. */
export interface TerminalUi {
  screen: Screen;
  keyboard: Keyboard;
  transport: Transport;
  drafts: Drafts;
}

export const layoutOf = ({ screen }: TerminalUi): TextLayout => ({
  columns: screen.columns,
  style: screen.style,
});

/** By the server's clock. */
export const nowAt = ({ transport }: TerminalUi): number => transport.serverNow?.() ?? Date.now();

/** What stands above the keys: how long there is and what happens then, and whether the server can be reached. */
export function statusLines(ui: TerminalUi, { expiresAt, request }: InteractionRecord): string[] {
  const { style } = ui.screen;
  const time = left(expiresAt, nowAt(ui));
  const { state } = ui.transport.connection();
  const then = afterTimeout(request) ?? "";
  return [
    ...(time === undefined
      ? []
      : [...typed("Time left", `${time}\n${then}`, layoutOf(ui), 10), ""]),
    ...(state === "online" ? [] : [style.red("  The server is away; trying again."), ""]),
  ];
}
