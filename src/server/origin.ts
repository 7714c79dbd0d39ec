import type { Context } from "hono";
import { z } from "zod";
import { refused } from "./query.ts";

const Origin = z.enum(["http", "cli"]).default("http");

/** By which door a call came, as its caller says: the command line names itself, others need not. */
export function readOrigin(c: Context): z.infer<typeof Origin> {
  const { success, data } = Origin.safeParse(c.req.header("x-origin"));
  if (success) return data;
  throw refused("x-origin", "must be http or cli");
}
