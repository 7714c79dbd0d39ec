import { ProtocolError } from "./errors.ts";
import { LIMITS, type Limits } from "./limits.ts";

const POLLUTING_KEYS = new Set(["__proto__", "constructor", "prototype"]);
/** Half of a character that needs two; a pair of them is none. */
const HALF_CHARACTER = /\p{Surrogate}/u;
const NUMBER = /-?\d[\d.eE+-]*/y;

/**
 * Reads JSON from outside: what `JSON.parse` would quietly accept and later code would trip over
 * (duplicate keys, keys that reach a prototype, bottomless nesting), and what would not be the same
 * once it has been stored (endless numbers, halves of characters), is refused with a sentence.
 */
export function parseJson(text: string, limits: Limits = LIMITS): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ProtocolError("invalid_request", "The body is not valid JSON.");
  }
  checkShape(text, limits);
  return value;
}

/** One pass over text that is known to be valid JSON. */
function checkShape(text: string, limits: Limits): void {
  const keysAt: (Set<string> | undefined)[] = [];
  let keyCount = 0;
  let expectKey = false;
  const mayHoldHalf = text.includes("\\u") || HALF_CHARACTER.test(text);
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x7b: // {
      case 0x5b: // [
        expectKey = text[at] === "{";
        keysAt.push(expectKey ? new Set() : undefined);
        if (keysAt.length > limits.jsonDepth) {
          throw refused(`The JSON is nested deeper than ${limits.jsonDepth} levels.`);
        }
        break;
      case 0x7d: // }
      case 0x5d: // ]
        keysAt.pop();
        expectKey = false;
        break;
      case 0x2c: // ,
        expectKey = keysAt.at(-1) !== undefined;
        break;
      case 0x22: {
        const end = endOfString(text, at);
        if (isLonger(text, at, end, limits.jsonStringBytes)) {
          throw new ProtocolError(
            "too_large",
            `One text is longer than ${limits.jsonStringBytes} bytes.`,
          );
        }
        if (mayHoldHalf && HALF_CHARACTER.test(readText(text, at, end))) {
          throw refused("A text holds half a character. Send it whole, or leave it out.");
        }
        if (expectKey) {
          const key = readKey(text, at, end);
          const seen = keysAt.at(-1);
          if (seen?.has(key))
            throw refused(`The key ${JSON.stringify(key)} stands twice in one object.`);
          seen?.add(key);
          if (++keyCount > limits.jsonKeys)
            throw refused(`The JSON has more than ${limits.jsonKeys} keys.`);
          expectKey = false;
        }
        at = end;
        break;
      }
      default:
        if (beginsNumber(text.charCodeAt(at))) at += lengthOfNumber(text, at);
    }
  }
}

function beginsNumber(code: number): boolean {
  return code === 0x2d || (code >= 0x30 && code <= 0x39);
}

/** How much further a number goes than the character at which it begins, if one does. */
function lengthOfNumber(text: string, at: number): number {
  NUMBER.lastIndex = at;
  const number = NUMBER.exec(text)?.[0];
  if (number === undefined) return 0;
  if (!Number.isFinite(Number(number))) throw refused("A number is too large to be kept.");
  return number.length - 1;
}

/** What stands between two quotation marks. */
function readText(text: string, start: number, end: number): string {
  const plain = text.slice(start + 1, end);
  return plain.includes("\\") ? (JSON.parse(`"${plain}"`) as string) : plain;
}

function readKey(text: string, start: number, end: number): string {
  const key = readText(text, start, end);
  if (POLLUTING_KEYS.has(key)) throw refused(`The key "${key}" is not allowed.`);
  return key;
}

function endOfString(text: string, start: number): number {
  let end = start + 1;
  while (text.charCodeAt(end) !== 0x22) end += text.charCodeAt(end) === 0x5c ? 2 : 1;
  return end;
}

/** Counts what a literal stands for, not its escapes; one that cannot be too long is not read. */
function isLonger(text: string, start: number, end: number, bytes: number): boolean {
  if ((end - start - 1) * 3 <= bytes) return false;
  return byteLength(readText(text, start, end)) > bytes;
}

const encoder = new TextEncoder();

function byteLength(text: string): number {
  return encoder.encode(text).length;
}

/** How many bytes a value has as JSON. */
export function jsonBytes(value: unknown): number {
  return byteLength(JSON.stringify(value) ?? "");
}

function refused(sentence: string): ProtocolError {
  return new ProtocolError("invalid_request", sentence, {
    issues: [{ path: "", message: sentence }],
  });
}

/** Keys sorted at every level, so that equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(inOrder(value));
}

/** A copy, which is written faster than one value after the other would be put in order. */
function inOrder(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(inOrder);
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === "function") return inOrder(toJSON.call(value));
  const ordered: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) {
    const own = (value as Record<string, unknown>)[key];
    const inner = typeof own === "object" ? inOrder(own) : own;
    // Set as others are, this one would be no key but the prototype.
    if (key === "__proto__")
      Object.defineProperty(ordered, key, { value: inner, enumerable: true });
    else ordered[key] = inner;
  }
  return ordered;
}
