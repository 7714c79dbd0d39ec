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
        const literal = text.slice(at, end + 1);
        if (isLonger(literal, limits.jsonStringBytes)) {
          throw new ProtocolError(
            "too_large",
            `One text is longer than ${limits.jsonStringBytes} bytes.`,
          );
        }
        if (HALF_CHARACTER.test(literal.includes("\\u") ? readText(literal) : literal)) {
          throw refused("A text holds half a character. Send it whole, or leave it out.");
        }
        if (expectKey) {
          const key = readKey(literal);
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
        at += lengthOfNumber(text, at);
    }
  }
}

/** How much further a number goes than the character at which it begins, if one does. */
function lengthOfNumber(text: string, at: number): number {
  NUMBER.lastIndex = at;
  const number = NUMBER.exec(text)?.[0];
  if (number === undefined) return 0;
  if (!Number.isFinite(Number(number))) throw refused("A number is too large to be kept.");
  return number.length - 1;
}

function readText(literal: string): string {
  return JSON.parse(literal) as string;
}

function readKey(literal: string): string {
  const key = readText(literal);
  if (POLLUTING_KEYS.has(key)) throw refused(`The key "${key}" is not allowed.`);
  return key;
}

function endOfString(text: string, start: number): number {
  let end = start + 1;
  while (text.charCodeAt(end) !== 0x22) end += text.charCodeAt(end) === 0x5c ? 2 : 1;
  return end;
}

/** Counts what a literal stands for, not its escapes; one that cannot be too long is not read. */
function isLonger(literal: string, bytes: number): boolean {
  if ((literal.length - 2) * 3 <= bytes) return false;
  return byteLength(readText(literal)) > bytes;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
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
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (inner === null || typeof inner !== "object" || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
