import type { ServerContext } from "@modelcontextprotocol/server";
import type { ServerParts } from "../parts.ts";
import { MCP } from "./timing.ts";

/**
 * Tells a client from time to time that its call goes on, if it wants to hear that. Many then wait
 * for longer, but none for ever.
 */
export function keepTelling(
  clock: ServerParts["clock"],
  ctx: ServerContext,
): { waitMs: number; stop: () => void } {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { waitMs: MCP.waitMs, stop: () => {} };
  let progress = 0;
  let stop = () => {};
  const tell = () => {
    progress += 1;
    const params = { progressToken, progress, message: "Waiting for a person to answer" };
    // Whoever hung up is noticed elsewhere.
    ctx.mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
    wait();
  };
  const wait = () => (stop = clock.timer(MCP.progressMs, tell));
  wait();
  return { waitMs: MCP.waitWithProgressMs, stop: () => stop() };
}
