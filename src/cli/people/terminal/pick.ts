import { visibleText } from "../../../client/index.ts";
import { wrap } from "../../width.ts";
import { type TerminalUi, layoutOf } from "./terminal-ui.ts";
import { type TextLayout, quoted, scrolled } from "./layout.ts";

export interface PickQuestion {
  above: string[];
  below: string[];
  options: { label: string; description?: string; preview?: string }[];
  /** Several may be chosen. */
  many: boolean;
  /** Positions that are chosen at first. */
  chosen: number[];
  signal: AbortSignal;
}

/** How many options stand on the screen at a time. */
const WINDOW = 9;

/** Lets a person choose by number, or with arrows, Space and Enter. Gives the chosen positions. */
export async function pick(
  ui: TerminalUi,
  { above, below, options, many, chosen: first, signal }: PickQuestion,
): Promise<number[] | "back" | "escape"> {
  let chosen = new Set(first);
  let at = first[0] ?? 0;
  let from = 0;
  const toggle = (index: number) => {
    const next = new Set(chosen);
    if (!next.delete(index)) next.add(index);
    chosen = next;
  };
  for (;;) {
    from = scrolled(from, at, WINDOW);
    ui.screen.show(() => ({
      lines: [
        ...above,
        ...optionLines({ options, from, at, many, chosen }, layoutOf(ui)),
        ...below,
      ],
    }));
    const key = await ui.keyboard.next(signal);
    const digit = key.name === "text" && /^[1-9]$/.test(key.text) ? Number(key.text) - 1 : -1;
    const named = digit >= 0 && digit < Math.min(WINDOW, options.length - from) ? from + digit : -1;
    if (named >= 0) {
      at = named;
      if (!many) return [named];
      toggle(named);
    } else if (key.name === "enter") {
      return many ? [...chosen].sort((a, b) => a - b) : [at];
    } else if (key.text === " " && many) toggle(at);
    else if (key.name === "escape") return "escape";
    else if (key.name === "back-tab" || (key.name === "up" && at === 0)) return "back";
    else if (key.name === "up") at--;
    else if (key.name === "down") at = Math.min(options.length - 1, at + 1);
  }
}

interface Shown {
  options: PickQuestion["options"];
  many: boolean;
  from: number;
  at: number;
  chosen: Set<number>;
}

function optionLines(shown: Shown, layout: TextLayout): string[] {
  const { options, from } = shown;
  const lines = options
    .slice(from, from + WINDOW)
    .map((_option, offset) => oneOption(shown, from + offset, layout));
  const more = `       ${options.length} in all; ↑↓ shows the others`;
  return options.length > WINDOW ? [...lines.flat(), layout.style.dim(more)] : lines.flat();
}

function oneOption({ options, many, from, at, chosen }: Shown, index: number, layout: TextLayout) {
  const { columns, style } = layout;
  const { label = "", description = "", preview = "" } = options[index] ?? {};
  const mark = many ? (chosen.has(index) ? "[x] " : "[ ] ") : "";
  const indent = " ".repeat(7 + mark.length);
  const inside = (text: string) => wrap(visibleText(text), columns - indent.length);
  const [first = "", ...more] = inside(label);
  const number = style.bold(String(index - from + 1));
  const lines = [
    `  ${index === at ? "›" : " "} ${number}  ${mark}${index === at ? style.bold(first) : first}`,
    ...more.map((line) => indent + line),
  ];
  if (description !== "")
    lines.push(...inside(description).map((line) => indent + style.dim(line)));
  if (preview !== "") {
    lines.push(...quoted(preview, { columns: columns - 5, style }).map((line) => `     ${line}`));
  }
  return lines;
}
