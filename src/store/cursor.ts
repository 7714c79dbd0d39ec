import { ProtocolError } from "../protocol/index.ts";

/** Where a page ended: the time it is ordered by, and the id that breaks ties. */
export interface Cursor {
  at: number;
  id: string;
}

export function toCursor({ at, id }: Cursor): string {
  return Buffer.from(JSON.stringify([at, id])).toString("base64url");
}

export function fromCursor(text: string): Cursor {
  const value = parse(text);
  if (Array.isArray(value) && value.length === 2) {
    const [at, id] = value as unknown[];
    if (Number.isSafeInteger(at) && typeof id === "string") return { at: at as number, id };
  }
  throw new ProtocolError(
    "invalid_request",
    "The cursor is not one that this server gave. Start again without it.",
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    return undefined;
  }
}
