import { visibleText } from "../../../client/index.ts";
import { WHY_NOT } from "../../../client/denial-words.ts";
import type { InteractionRecord, ResponseBody } from "../../../protocol/index.ts";
import { LIMITS } from "../../../protocol/index.ts";
import { widthOf } from "../../width.ts";
import type { Choice } from "./choices.ts";
import { type TerminalUi, layoutOf, statusLines } from "./terminal-ui.ts";
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
  ui: TerminalUi,
  record: InteractionRecord,
  { choices, others = [], shown = [], signal }: Deciding,
): Promise<ResponseBody | string | undefined> {
  for (;;) {
    let isLive = false;
    const view = () => {
      const layout = layoutOf(ui);
      const width = Math.min(
        24,
        Math.max(10, ...shown.map(([name]) => widthOf(visibleText(name)))),
      );
      return {
        lines: [
          ...shown.flatMap(([name, text]) => typed(name, text, layout, width)),
          ...(shown.length > 0 ? [""] : []),
          ...statusLines(ui, record),
          ...keyLines([...choices, ...others, LEAVE], layout, isLive),
        ],
      };
    };
    ui.screen.show(view);
    const endGrace = ui.keyboard.beginGrace(() => {
      isLive = true;
      ui.screen.refresh();
    });
    try {
      for (;;) {
        const key = await ui.keyboard.decision(signal);
        if (key.name === "escape") return undefined;
        if (others.some((one) => one.key === key.text)) return key.text;
        const choice = choices.find((one) => one.key === key.text);
        if (!choice) continue;
        if (!choice.asksReason) return choice.body;
        const reason = await askReason(ui, choice.label, signal);
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
  ui: TerminalUi,
  label: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const layout = layoutOf(ui);
  let value = "";
  let below = hint("Enter sends it · Esc back", layout);
  for (;;) {
    const above = [`  ${layout.style.bold(label)}: ${WHY_NOT}`];
    const given = await editLine(ui, { above, below, value, multiline: true, signal });
    if (typeof given === "string") return undefined;
    value = given.text.trim();
    if (value !== "" && Array.from(value).length <= LIMITS.reasonCharacters) return value;
    const problem = value === "" ? "Write a reason, or go back." : "This is too long.";
    below = [layout.style.red(`  ${problem}`), ...hint("Enter sends it · Esc back", layout)];
  }
}
