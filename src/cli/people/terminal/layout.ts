import { visibleText } from "../../../client/index.ts";
import { visibleLines } from "../../visible-lines.ts";
import { cut, padTo, widthOf, wrap } from "../../width.ts";
import type { Style, Styles } from "./screen.ts";

/** What views need to know of the terminal. */
export interface TextLayout {
  columns: number;
  style: Styles;
}

const plain: Style = (text) => text;

/** A line across with a name in it. */
export function rule(name: string, { columns }: TextLayout, style: Style): string {
  const title = cut(visibleText(name), columns - 6);
  return style(`── ${title} ${"─".repeat(Math.max(2, columns - widthOf(title) - 4))}`);
}

/**
 * Words of others, whole and behind a bar that goes down all of their lines, so that none of them
 * can pass for a line of ours.
 */
export function quoted(text: string, { columns, style }: TextLayout, how: Style = plain): string[] {
  return visibleLines(text)
    .flatMap((line) => wrap(line, columns - 4))
    .map((line) => `  ${style.dim("│")} ${how(line)}`);
}

/** `Name    what it is`, wrapped under itself. */
export function fact(name: string, text: string, layout: TextLayout): string[] {
  return pair(name, [visibleText(text)], layout, 10);
}

/** The same of what a person has typed, in its own lines. */
export function typed(name: string, text: string, layout: TextLayout, width: number): string[] {
  return pair(name, visibleLines(text), layout, width);
}

function pair(
  name: string,
  lines: string[],
  { columns, style }: TextLayout,
  width: number,
): string[] {
  const indent = " ".repeat(width + 4);
  const head = `  ${style.dim(padTo(cut(visibleText(name), width), width))}  `;
  return lines
    .flatMap((line) => wrap(line, columns - width - 4))
    .map((line, at) => (at === 0 ? head : indent) + line);
}

/** A key and what it does, with an explanation that is wrapped under itself. */
export interface KeyHelp {
  key: string;
  label: string;
  more?: string[];
}

export function keyLines(keys: KeyHelp[], { columns, style }: TextLayout, isLive = true): string[] {
  const shade: Style = isLive ? plain : style.dim;
  const key: Style = isLive ? style.bold : style.dim;
  const keyWidth = Math.max(...keys.map((one) => widthOf(one.key)));
  const labelWidth = Math.min(28, Math.max(...keys.map((one) => widthOf(visibleText(one.label)))));
  const moreAt = keyWidth + labelWidth + 6;
  return keys.flatMap(({ key: name, label, more = [] }) => {
    const head = `  ${key(padTo(name, keyWidth))}  `;
    const labels = wrap(visibleText(label), columns - keyWidth - 4);
    const explained = more.flatMap((line) => wrap(visibleText(line), columns - moreAt));
    const isBeside = labels.length === 1 && widthOf(labels[0] ?? "") <= labelWidth;
    const [first = ""] = explained;
    if (isBeside && columns - moreAt >= 20) {
      const further = explained.slice(1).map((line) => " ".repeat(moreAt) + style.dim(line));
      return [
        head + shade(padTo(labels[0] ?? "", labelWidth)) + (first && `  ${style.dim(first)}`),
        ...further,
      ];
    }
    const indent = " ".repeat(keyWidth + 4);
    const below = more.flatMap((line) => wrap(visibleText(line), columns - keyWidth - 4));
    return [
      ...labels.map((line, at) => (at === 0 ? head : indent) + shade(line)),
      ...below.map((line) => indent + style.dim(line)),
    ];
  });
}

/** Small words about keys at the bottom. */
export function hint(text: string, { columns, style }: TextLayout): string[] {
  return wrap(text, columns - 2).map((line) => style.dim(`  ${line}`));
}

/** Where a window begins that shows `at`; it stays where it is for as long as it does. */
export function scrolled(from: number, at: number, size: number): number {
  return Math.max(0, Math.min(Math.max(from, at - size + 1), at));
}
