import { Hono } from "hono";
import { LIMITS, ResponseBody } from "../../protocol/index.ts";
import { personOnly } from "../access.ts";
import { readBody } from "../body.ts";
import { readClientId } from "../client-id.ts";
import { held, whileGood } from "../held.ts";
import type { AppEnv, ServerParts } from "../parts.ts";
import { readInteger, readPage, readText, refused } from "../query.ts";

export function interactionRoutes({ core, clients }: ServerParts): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get("/", async (c) => {
      const status = readText(c, "status") ?? "pending";
      if (status !== "pending") throw refused("status", "can only be pending");
      const query = { ...readPage(c), sessionId: readText(c, "sessionId") };
      return c.json(await core.interactions(c.get("who"), query));
    })
    .get("/:id", async (c) => {
      const seconds = readInteger(c, "wait", { min: 1, max: LIMITS.waitMaxSeconds });
      const id = c.req.param("id");
      if (seconds === undefined) return c.json(await core.interaction(c.get("who"), id));
      const record = await whileGood(clients, c.get("who"), (ended) =>
        held([c.req.raw.signal, clients.closing, ended], (signal) =>
          core.interaction(c.get("who"), id, { waitMs: seconds * 1_000, signal }),
        ),
      );
      return c.json(record);
    })
    .post("/:id/respond", personOnly, async (c) => {
      const body = await readBody(c.req.raw, ResponseBody);
      const record = await core.respond(c.get("who"), {
        interactionId: c.req.param("id"),
        via: "http",
        clientId: readClientId(c),
        body,
      });
      return c.json(record);
    });
}
