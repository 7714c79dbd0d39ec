import type { Context } from "hono";
import { z } from "zod";
import { LIMITS, ProtocolError } from "../protocol/index.ts";

/** A whole number from the query, or undefined where it is not given. */
export function readInteger(
  c: Context,
  name: string,
  range: { min: number; max: number },
): number | undefined {
  const given = readOne(c, name);
  return given === undefined ? undefined : parseInteger(given, name, range);
}

export function parseInteger(
  text: string,
  name: string,
  { min, max }: { min: number; max: number },
): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw refused(name, `must be a whole number from ${min} to ${max}`);
}

const QueryText = z.string().min(1).max(LIMITS.queryCharacters);

export function readText(c: Context, name: string): string | undefined {
  const given = readOne(c, name);
  if (given === undefined) return undefined;
  if (QueryText.safeParse(given).success) return given;
  throw refused(name, `must be 1 to ${LIMITS.queryCharacters} characters`);
}

export function readPage(c: Context): { cursor?: string; limit: number } {
  const limit = readInteger(c, "limit", { min: 1, max: LIMITS.listPageMax });
  return { cursor: readText(c, "cursor"), limit: limit ?? LIMITS.listPageMax };
}

/** A `seq`, as `after`, `before` or `Last-Event-ID` give it. */
export const SEQ = { min: 0, max: Number.MAX_SAFE_INTEGER };

export function refused(path: string, message: string): ProtocolError {
  return new ProtocolError("invalid_request", `The request is not valid. "${path}": ${message}.`, {
    issues: [{ path, message }],
  });
}

function readOne(c: Context, name: string): string | undefined {
  const given = c.req.queries(name) ?? [];
  if (given.length > 1) throw refused(name, "stands in the address more than once");
  return given[0];
}
