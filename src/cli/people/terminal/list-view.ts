import { visibleText } from "../../../client/index.ts";
import type { Inbox } from "../../../client/index.ts";
import type { InteractionRecord, SessionRecord } from "../../../protocol/index.ts";
import { cut, padTo, widthOf } from "../../width.ts";
import { gistOf } from "../gist.ts";
import { ago, left } from "../times.ts";
import { titleOf } from "../title.ts";
import { type TerminalUi, nowAt, layoutOf } from "./terminal-ui.ts";
import { hint, rule, scrolled } from "./layout.ts";

const WINDOW = 9;
/** Two lines a prompt, and what stands around them. */
const LINES_AROUND = 6;

/** Shows what waits, kept up to date, until one is chosen; nothing if the person leaves. */
export async function chooseFrom(
  ui: TerminalUi,
  inbox: Inbox,
  sessions: ReadonlyMap<string, SessionRecord>,
): Promise<InteractionRecord | undefined> {
  const { screen, keyboard } = ui;
  let chosenId: string | undefined;
  const list = () => inbox.get().interactions;
  const at = () =>
    Math.max(
      0,
      list().findIndex(({ id }) => id === chosenId),
    );
  const size = () => Math.max(1, Math.min(WINDOW, Math.floor((screen.rows - LINES_AROUND) / 2)));
  let first = 0;
  const from = () => (first = scrolled(first, at(), size()));
  screen.show(() => ({
    lines: [
      ...heading(ui, inbox),
      ...list()
        .slice(from(), from() + size())
        .flatMap((one, offset) =>
          itemLines(ui, one, {
            number: offset + 1,
            session: sessions.get(one.sessionId),
            isChosen: from() + offset === at(),
          }),
        ),
      "",
      ...hint(keysFor(list().length, size()), layoutOf(ui)),
    ],
  }));
  const ends = [
    inbox.subscribe(() => screen.refresh()),
    ui.transport.onConnection(() => screen.refresh()),
  ];
  const ticking = setInterval(() => screen.refresh(), 1_000);
  try {
    for (;;) {
      const key = await keyboard.next();
      if (key.text === "q" || key.name === "escape") return undefined;
      const digit = /^[1-9]$/.test(key.text) ? Number(key.text) : 0;
      const picked = digit > 0 && digit <= size() ? list()[from() + digit - 1] : undefined;
      if (picked) return picked;
      if (key.name === "enter" && list().length > 0) return list()[at()];
      if (key.name === "down" || key.text === "j") chosenId = list()[at() + 1]?.id ?? chosenId;
      if (key.name === "up" || key.text === "k") chosenId = list()[at() - 1]?.id ?? chosenId;
      screen.refresh();
    }
  } finally {
    clearInterval(ticking);
    for (const end of ends) end();
    screen.clear();
  }
}

function heading(ui: TerminalUi, inbox: Inbox): string[] {
  const layout = layoutOf(ui);
  const { status, interactions } = inbox.get();
  const count = interactions.length;
  const isOnline = ui.transport.connection().state === "online";
  const away = isOnline || status === "loading" ? "" : " · the server is away";
  const title = layout.style.bold(rule(`Beckon · ${count} waiting${away}`, layout, (text) => text));
  if (status === "loading") return [title, layout.style.dim("  Looking…")];
  if (count > 0) return [title];
  return [title, "  Nothing waits for you.", ...hint("What comes appears here by itself.", layout)];
}

function keysFor(count: number, size: number): string {
  if (count === 0) return "q leaves";
  const numbers = count === 1 ? "1" : `1–${Math.min(count, size)}`;
  return `${numbers}, or ↑↓ and Enter, opens · q leaves`;
}

function itemLines(
  ui: TerminalUi,
  record: InteractionRecord,
  item: { number: number; session?: SessionRecord; isChosen: boolean },
): string[] {
  const { columns, style } = layoutOf(ui);
  const { request, createdAt } = record;
  const isApproval = request.interactionType === "approval";
  const time = left(record.expiresAt, nowAt(ui));
  const when = time === undefined ? ago(createdAt, nowAt(ui)) : `${time} left`;
  const title = cut(visibleText(titleOf(request)), columns - widthOf(when) - 10);
  const colour = isApproval ? style.yellow : style.cyan;
  const room = columns - widthOf(title) - 7 - widthOf(when);
  const again = request.attempt > 1 ? "asked again" : "";
  const about = [item.session?.title, gistOf(request), again].filter((part) => part).join(" · ");
  return [
    `  ${item.isChosen ? "›" : " "} ${style.bold(String(item.number))}  ${colour(title)}${padTo("", room)}${style.dim(when)}`,
    style.dim(`       ${cut(visibleText(about), columns - 7)}`),
  ];
}
