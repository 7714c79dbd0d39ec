import type { Context } from "hono";
import { ClientId } from "../protocol/index.ts";
import { refused } from "./query.ts";

/** Which of a person's clients sends this, where it says so: a socket's says it in its hello. */
export function readClientId(c: Context): string | undefined {
  const given = c.req.header("x-client-id");
  if (given === undefined || ClientId.safeParse(given).success) return given;
  throw refused("x-client-id", "must be the id of a client");
}
