import type { InteractionRecord, ResponseBody } from "../../../protocol/index.ts";
import { LIMITS } from "../../../protocol/index.ts";
import { visible } from "../../visible.ts";
import { widthOf } from "../../width.ts";
import type { Choice } from "./choices.ts";
import { type Desk, paperOf, statusLines } from "./desk.ts";
import { editLine } from "./edit-line.ts";
import { hint, keyLines, type KeyHelp, typed } from "./layout.ts";

interface Deciding {
  choices: Choice[];
  /** Keys that decide nothing: pressing one gives its name. */
  others?: KeyHelp[];
  /** What would be sent, by name. */
  shown?: [name: string, text: string][];
  signal: AbortSignal;
}

const LEAVE: KeyHelp = { key: "Esc", label: "Back", more: ["Nothing is decided."] };

/** Waits for a key that decides; nothing if the person leaves it for later. */
export async function decide(
  desk: Desk,
  record: InteractionRecord,
  { choices, others = [], shown = [], signal }: Deciding,
): Promise<ResponseBody | string | undefined> {
  for (;;) {
    let isLive = false;
    const view = () => {
      const paper = paperOf(desk);
      const width = Math.min(24, Math.max(10, ...shown.map(([name]) => widthOf(visible(name)))));
      return {
        lines: [
          ...shown.flatMap(([name, text]) => typed(name, text, paper, width)),
          ...(shown.length > 0 ? [""] : []),
          ...statusLines(desk, record.expiresAt).flatMap((line) => [line, ""]),
          ...keyLines([...choices, ...others, LEAVE], paper, isLive),
        ],
      };
    };
    desk.screen.show(view);
    const endGrace = desk.keyboard.beginGrace(() => {
      isLive = true;
      desk.screen.refresh();
    });
    try {
      for (;;) {
        const key = await desk.keyboard.decision(signal);
        if (key.name === "escape") return undefined;
        if (others.some((one) => one.key === key.text)) return key.text;
        const choice = choices.find((one) => one.key === key.text);
        if (!choice) continue;
        if (!choice.asksReason) return choice.body;
        const reason = await askReason(desk, choice.label, signal);
        if (reason !== undefined) return { ...choice.body, reason };
        break;
      }
    } finally {
      endGrace();
    }
  }
}

/** Why; nothing if the person went back. An empty line decides nothing. */
async function askReason(
  desk: Desk,
  label: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const paper = paperOf(desk);
  let value = "";
  let below = hint("Enter sends it · Esc back", paper);
  for (;;) {
    const above = [`  ${paper.style.bold(label)}: why not? What should it do instead?`];
    const given = await editLine(desk, { above, below, value, multiline: true, signal });
    if (typeof given === "string") return undefined;
    value = given.text.trim();
    if (value !== "" && Array.from(value).length <= LIMITS.reasonCharacters) return value;
    const problem = value === "" ? "Write a reason, or go back." : "This is too long.";
    below = [paper.style.red(`  ${problem}`), ...hint("Enter sends it · Esc back", paper)];
  }
}
