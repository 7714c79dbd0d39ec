/** Pieces short enough for every other limit. */
const PIECE = "x".repeat(1_000);

/** JSON of an object with these fields and as much padding as makes it exactly so many bytes. */
export function sizedJson(fields: Record<string, unknown>, bytes: number): string {
  const bare = Buffer.byteLength(JSON.stringify({ ...fields, pad: [""] }));
  const whole = Math.max(0, Math.floor((bytes - bare) / (PIECE.length + 3)));
  const pad = [...Array.from({ length: whole }, () => PIECE), ""];
  const rest = bytes - Buffer.byteLength(JSON.stringify({ ...fields, pad }));
  pad[whole] = "x".repeat(rest);
  return JSON.stringify({ ...fields, pad });
}

/** A value nested so deep, a plain one being of depth 0. */
export function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

/** An object with so many keys. */
export function keyed(count: number): Record<string, number> {
  return Object.fromEntries(listOf(count, (index) => [`k${index}`, index]));
}

/** A text of so many bytes, nearly all of them in characters of three. */
export function euros(bytes: number): string {
  return "€".repeat(Math.floor(bytes / 3)) + "x".repeat(bytes % 3);
}

/** A text of so many characters, for each of which `length` counts two. */
export function faces(characters: number): string {
  return "😀".repeat(characters);
}

export function listOf<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_none, index) => make(index));
}

/** A pattern of exactly so many instructions, four of which every pattern has. */
export function sizedPattern(size: number): string {
  const rest = size - 4;
  return "a{1000}".repeat(Math.floor(rest / 1_000)) + `a{${rest % 1_000}}`;
}
