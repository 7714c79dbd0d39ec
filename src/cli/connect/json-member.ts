/** A member of the outermost object of a JSON text: where its name begins, and its value. */
interface Member {
  name: string;
  start: number;
  valueStart: number;
  end: number;
}

/**
 * Sets one member of the object that a JSON text holds, or takes it out, and leaves every other
 * character as it is. The text must be the JSON of an object.
 */
export function setMember(text: string, name: string, value: unknown): string {
  const members = membersOf(text);
  const index = members.findLastIndex((one) => one.name === name);
  const member = members[index];
  if (value === undefined) return member ? without(text, members, index) : text;
  const { indent, newline } = styleOf(text);
  const json = JSON.stringify(value, undefined, indent).replaceAll("\n", newline + indent);
  if (member) return text.slice(0, member.valueStart) + json + text.slice(member.end);
  const last = members.at(-1);
  const at = last ? last.end : text.indexOf("{") + 1;
  const added = `${last ? "," : ""}${newline}${indent}${JSON.stringify(name)}: ${json}`;
  const after = text.slice(at);
  return text.slice(0, at) + added + (last ? after : newline + after.trimStart());
}

function without(text: string, members: Member[], index: number): string {
  const before = members[index - 1];
  const after = members[index + 1];
  const { start = 0, end = 0 } = members[index] ?? {};
  if (before) return text.slice(0, before.end) + text.slice(end);
  if (after) return text.slice(0, start) + text.slice(after.start);
  return text.slice(0, text.indexOf("{") + 1) + text.slice(end).trimStart();
}

function styleOf(text: string): { indent: string; newline: string } {
  const [, newline = "\n", indent = "  "] = /(\r?\n)([ \t]+)"/.exec(text) ?? [];
  return { indent, newline };
}

function membersOf(text: string): Member[] {
  const members: Member[] = [];
  const reader = new Reader(text, text.indexOf("{") + 1);
  while (reader.skip(/[\s,]*/y) && text[reader.at] === '"') {
    const start = reader.at;
    const name = JSON.parse(reader.take(STRING)) as string;
    reader.skip(/\s*:\s*/y);
    const valueStart = reader.at;
    reader.value();
    members.push({ name, start, valueStart, end: reader.at });
  }
  return members;
}

const STRING = /"(?:[^"\\]|\\.)*"/y;
const PLAIN = /[^\s,{}[\]"]+/y;

class Reader {
  readonly #text: string;
  at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [taken = ""] = pattern.exec(this.#text) ?? [];
    this.at += taken.length;
    return taken;
  }

  skip(pattern: RegExp): true {
    this.take(pattern);
    return true;
  }

  /** Moves behind a whole value. */
  value(): void {
    let depth = 0;
    do {
      this.skip(/[\s,:]*/y);
      const character = this.#text[this.at] ?? "";
      if (character === '"') this.skip(STRING);
      else if (!/[{}[\]]/.test(character)) this.skip(PLAIN);
      else {
        depth += character === "{" || character === "[" ? 1 : -1;
        this.at++;
      }
    } while (depth > 0 && this.at < this.#text.length);
  }
}
