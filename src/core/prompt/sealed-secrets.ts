import type { InteractionResponse } from "../../protocol/index.ts";
import type { CoreOptions, CorePorts } from "../api.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { InteractionRow, ResponseRow, RunRow } from "../ports.ts";

interface SealPorts extends Pick<CorePorts, "store" | "sealing"> {
  options: Pick<CoreOptions, "owner">;
}

/*
 * A secret that is answered at another node than the one that executes the run goes there through
 * the response's row, sealed for that process alone. When the process is gone nobody can read it,
 * and it is asked for again.
 */

/** The other process that executes the run now, if one does. */
export function executorElsewhere(
  { options }: Pick<SealPorts, "options">,
  run: RunRow | null,
): string | undefined {
  if (run?.status !== "live" || run.owner === options.owner) return undefined;
  return run.owner ?? undefined;
}

/** The secret values of an answer, for whoever executes the run elsewhere; null: nobody does. */
export async function sealFor(
  ports: SealPorts,
  run: RunRow | null,
  secrets: Record<string, unknown>,
): Promise<string | null> {
  const { store, sealing } = ports;
  const owner = executorElsewhere(ports, run);
  if (!sealing || owner === undefined || Object.keys(secrets).length === 0) return null;
  const node = await store.node(owner);
  return node ? sealing.seal(node.publicKey, JSON.stringify(secrets)) : null;
}

/** Takes the values out of the response's row, where they are sealed for this process. */
export async function unseal(
  { store, sealing }: Pick<CorePorts, "store" | "sealing">,
  run: LiveRun,
  { id }: InteractionRow,
  { answerId }: InteractionResponse,
): Promise<Record<string, unknown>> {
  const stored = await store.response(id, answerId);
  if (!stored?.sealed) return {};
  const text = sealing?.open(stored.sealed);
  await run.commit(async () => {
    const row = await store.response(id, answerId);
    return { sessionId: run.row.sessionId, writes: row ? [withoutSeal(row)] : [], events: [] };
  });
  return text === undefined ? {} : (JSON.parse(text) as Record<string, unknown>);
}

function withoutSeal({ interactionId, id, version }: ResponseRow) {
  const set = { sealed: null };
  return { table: "responses", id: [interactionId, id], ifVersion: version, set } as const;
}

/** Asks again for a secret that was lost with the process that had it. */
export const SECRET_AGAIN = {
  type: "input",
  error:
    "The server restarted before the secret was used, and keeps no secrets. Please enter it again.",
} as const;
