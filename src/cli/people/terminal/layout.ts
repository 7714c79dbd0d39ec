import { visible, visibleLines } from "../../visible.ts";
import { cut, padTo, widthOf, wrap } from "../../width.ts";
import type { Style, Styles } from "./screen.ts";

/** What views need to know of the terminal. */
export interface Paper {
  columns: number;
  style: Styles;
}

const plain: Style = (text) => text;

/** A line across with a name in it. */
export function rule(name: string, { columns }: Paper, style: Style): string {
  const title = cut(visible(name), columns - 6);
  return style(`── ${title} ${"─".repeat(Math.max(2, columns - widthOf(title) - 4))}`);
}

/**
 * Words of others, whole and behind a bar that goes down all of their lines, so that none of them
 * can pass for a line of ours.
 */
export function quoted(text: string, { columns, style }: Paper, how: Style = plain): string[] {
  return visibleLines(text)
    .flatMap((line) => wrap(line, columns - 4))
    .map((line) => `  ${style.dim("│")} ${how(line)}`);
}

/** `Name    what it is`, wrapped under itself. */
export function fact(given: string, text: string, paper: Paper, width = 10): string[] {
  const name = cut(visible(given), width);
  const [first = "", ...more] = wrap(visible(text), paper.columns - width - 4);
  const indent = " ".repeat(width + 4);
  return [
    `  ${paper.style.dim(padTo(name, width))}  ${first}`,
    ...more.map((line) => indent + line),
  ];
}

/** A key and what it does, with an explanation that is wrapped under itself. */
export interface KeyHelp {
  key: string;
  label: string;
  more?: string[];
}

export function keyLines(keys: KeyHelp[], { columns, style }: Paper, isLive = true): string[] {
  const shade: Style = isLive ? plain : style.dim;
  const key: Style = isLive ? style.bold : style.dim;
  const keyWidth = Math.max(...keys.map((one) => widthOf(one.key)));
  const labelWidth = Math.min(28, Math.max(...keys.map((one) => widthOf(visible(one.label)))));
  const moreAt = keyWidth + labelWidth + 6;
  return keys.flatMap(({ key: name, label, more = [] }) => {
    const head = `  ${key(padTo(name, keyWidth))}  `;
    const labels = wrap(visible(label), columns - keyWidth - 4);
    const explained = more.flatMap((line) => wrap(visible(line), columns - moreAt));
    const isBeside = labels.length === 1 && widthOf(labels[0] ?? "") <= labelWidth;
    const [first = ""] = explained;
    if (isBeside && columns - moreAt >= 20) {
      const rest = explained.slice(1).map((line) => " ".repeat(moreAt) + style.dim(line));
      return [
        head + shade(padTo(labels[0] ?? "", labelWidth)) + (first && `  ${style.dim(first)}`),
        ...rest,
      ];
    }
    const indent = " ".repeat(keyWidth + 4);
    const below = more.flatMap((line) => wrap(visible(line), columns - keyWidth - 4));
    return [
      ...labels.map((line, at) => (at === 0 ? head : indent) + shade(line)),
      ...below.map((line) => indent + style.dim(line)),
    ];
  });
}

/** Small words about keys at the bottom. */
export function hint(text: string, { columns, style }: Paper): string[] {
  return wrap(text, columns - 2).map((line) => style.dim(`  ${line}`));
}
