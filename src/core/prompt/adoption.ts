import { canonicalJson, DEFAULTS, type InteractionRequest } from "../../protocol/index.ts";
import { adopt, close, settle, type Step } from "../interaction.ts";
import { isJournaled, journalWrite, valueOf } from "../call/journal.ts";
import type { LiveCall } from "../call/live-call.ts";
import { IsThere } from "../run/committing-run.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { InteractionRow, Outcome } from "../ports.ts";
import type { CorePorts } from "../api.ts";

/*
 * An agent whose call was orphaned makes the identical call again; so does one that was told of a
 * late approval. What was answered meanwhile is given to that call, once; what is still open is
 * asked by the new call in the old one's place.
 * Identical means: the same session, tool, arguments and question, shown in the same words.
 */

/** The answer that `asked` would otherwise ask for, if an identical prompt has got it. */
export async function adoptAnswer(
  ports: Pick<CorePorts, "clock" | "store">,
  run: LiveRun,
  call: LiveCall,
  asked: InteractionRow,
): Promise<InteractionRow | undefined> {
  const look = async () =>
    (await findOrphans(ports, call, asked)).find((row) => isFresh(ports, row));
  let adopted: InteractionRow | undefined;
  if (!(await look())) return undefined;
  await run.commit(async () => {
    adopted = await look();
    if (!adopted) return { sessionId: asked.sessionId, writes: [], events: [] };
    const step = adopt(adopted, call.row.id);
    adopted = asAdopted(step.row, null);
    const value = { adopted: adopted.id };
    const entry = journalWrite(call, asked.key, "prompt", { value });
    return {
      sessionId: asked.sessionId,
      writes: [step.write, ...(isJournaled(call) ? [entry] : [])],
      events: [],
      interactions: [step.row],
    };
  });
  return adopted;
}

/** In a call that is run again: the prompt whose answer it had adopted under this name. */
export async function findAdopted(
  ports: Pick<CorePorts, "clock" | "store">,
  call: LiveCall,
  key: string,
): Promise<InteractionRow | null> {
  const entry = call.journal.get(key);
  if (!entry) return null;
  const row = await ports.store.interaction((valueOf(entry) as { adopted: string }).adopted);
  const outcome = call.journal.get(outcomeName(key));
  return row && asAdopted(row, outcome ? (valueOf(outcome) as Outcome) : null);
}

/**
 * A queued prompt has its outcome already, which never changes: that of the call that ended as
 * pending. What the adopting call makes of the answer stands in its journal.
 */
const hasOldOutcome = ({ link }: InteractionRow) => link === "queued";
const outcomeName = (key: string) => `${key}|outcome`;

function asAdopted(row: InteractionRow, outcome: Outcome | null): InteractionRow {
  return hasOldOutcome(row) ? { ...row, outcome } : row;
}

/** Keeps what the tool made of the response, whether the call asked for it or adopted it. */
export function settleFor(
  call: LiveCall,
  key: string,
  row: InteractionRow,
  outcome: Outcome,
): Step {
  if (row.adoptedByCall === null || !hasOldOutcome(row)) return settle(row, outcome);
  const write = journalWrite(call, outcomeName(key), "prompt", { value: outcome });
  return { row: asAdopted(row, outcome), write, events: [] };
}

/** While a call was about to ask, the prompt that it would have replaced was answered. */
class AnsweredMeanwhile extends IsThere {}

/** Closes orphaned prompts whose place `asked` takes, so that nobody is shown one question twice. */
export async function supersede(
  ports: Pick<CorePorts, "clock" | "store">,
  call: LiveCall,
  asked: InteractionRow,
): Promise<Step[]> {
  const rows = await findOrphans(ports, call, asked);
  if (rows.some((row) => isFresh(ports, row))) throw new AnsweredMeanwhile();
  const open = rows.filter((row) => row.status === "open");
  return open.map((row) =>
    close(row, "superseded", ports.clock.now(), "The same call was made again and asks anew."),
  );
}

/** What there is where somebody has asked the same before, or nearly the same. */
export function orphansLike({ row }: LiveCall, asked: InteractionRow) {
  return {
    of: "orphans",
    sessionId: asked.sessionId,
    tool: asked.toolName,
    inputDigest: row.inputDigest,
    requestDigest: asked.requestDigest,
  } as const;
}

async function findOrphans(
  ports: Pick<CorePorts, "clock" | "store">,
  call: LiveCall,
  asked: InteractionRow,
): Promise<InteractionRow[]> {
  const rows = await ports.store.orphans(orphansLike(call, asked));
  return rows.filter(
    (row) =>
      // A large input is not in the request, but its digest is beside it.
      row.actionDigest === asked.actionDigest && shown(row.request) === shown(asked.request),
  );
}

/**
 * What a person was asked. Who makes the same call again need not be who made it first, and what was
 * asked by an older version does not say whose words it has.
 */
function shown(request: InteractionRequest): string {
  const {
    toolCallId: _call,
    interactionId: _id,
    expiresAt: _until,
    asker: _asker,
    promptBy: _by,
    ...rest
  } = request;
  return canonicalJson(rest);
}

function isFresh(ports: Pick<CorePorts, "clock" | "store">, row: InteractionRow): boolean {
  const since = ports.clock.now() - DEFAULTS.adoptionMs;
  return row.status === "answered" && row.endedAt !== null && row.endedAt >= since;
}
