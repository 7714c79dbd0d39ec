import { setTimeout as delay } from "node:timers/promises";
import { Outage } from "./api.js";

const AGAIN_MS = 100;

/**
 * A session's log, each event once and in order, whatever happens to the server. What was missed
 * comes as one batch, so that who comes back is not shown prompts that others have long answered.
 *
 * @param {import("./api.js").Api} api
 * @param {string} sessionId
 * @param {{ signal: AbortSignal, onOutage?: () => void, after?: number }} options
 * @returns {AsyncGenerator<any[]>}
 */
export async function* follow(api, sessionId, { signal, onOutage, after = 0 }) {
  const path = `/api/sessions/${sessionId}/events`;
  let seq = after;
  while (!signal.aborted) {
    try {
      const missed = await readLog(api, sessionId, seq);
      seq = missed.at(-1)?.seq ?? seq;
      if (missed.length > 0) yield missed;
      for await (const event of api.stream(`${path}?after=${seq}`, signal)) {
        if (event.seq === undefined) continue;
        seq = event.seq;
        yield [event];
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Outage)) throw error;
    }
    onOutage?.();
    await delay(AGAIN_MS, undefined, { signal }).catch(() => {});
  }
}

/**
 * @param {import("./api.js").Api} api
 * @param {string} sessionId
 * @param {number} after
 * @returns {Promise<any[]>}
 */
export async function readLog(api, sessionId, after = 0) {
  const events = [];
  for (;;) {
    const from = events.at(-1)?.seq ?? after;
    const { body } = await api.request("GET", `/api/sessions/${sessionId}/events?after=${from}`);
    if (body.events.length === 0) return events;
    events.push(...body.events);
  }
}
