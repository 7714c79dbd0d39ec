import { LIMITS, ProtocolError } from "../protocol/index.ts";
import type { Who } from "./api.ts";
import type { Env } from "./env.ts";
import { isJournaled, journalWrite, valueOf } from "./journal.ts";
import type { LiveRun } from "./live-run.ts";
import type { LiveCall } from "./live-call.ts";
import type { SessionRow } from "./ports.ts";
import { type Payer, payerOf } from "./quotas.ts";
import { ToolError } from "./tool.ts";

/** Decided once a call, at its first prompt: a restart or a re-prompt never asks again who is there. */
export async function checkAvailable(env: Env, run: LiveRun, call: LiveCall): Promise<void> {
  call.available ??= isAvailable(env, run, call);
  if (await call.available) return;
  throw new ToolError(
    "interaction_unavailable",
    "Nobody is there to answer: no client with interactive mode on is connected.",
  );
}

async function isAvailable(env: Env, run: LiveRun, call: LiveCall): Promise<boolean> {
  const before = call.journal.get("available");
  if (before) return valueOf(before) === true;
  const value = await env.presence.somebodyIsThere();
  if (isJournaled(call)) run.ride(journalWrite(run, call, "available", "value", { value }));
  return value;
}

interface Asked {
  /** Prompts of other sessions that are on their way to the store. */
  others: number;
  /** How many open prompts this one closes. */
  replaced: number;
  /** Who asks from outside; the prompts of agents have nobody. */
  who?: Who;
  /** Settles when the run that asks is held by this process no more. */
  gone?: Promise<void>;
}

/**
 * Opens a prompt if there is room for one more: in its session, on the server, and in the budget of
 * the machine that the session counts to. Throws `too_many` if there is not.
 */
export async function withRoom<Result>(
  env: Env,
  session: Pick<SessionRow, "id" | "budgetId">,
  { others, replaced, who, gone }: Asked,
  open: () => Promise<Result>,
): Promise<Result> {
  const here = (await env.store.openCount(session.id)) - replaced;
  const everywhere = (await env.store.openCount()) - replaced + others;
  if (here >= roomIn(session, who)) {
    throw new ProtocolError(
      "too_many",
      "Too many prompts are open in this session. Wait until some are answered.",
    );
  }
  if (everywhere >= LIMITS.openPromptsPerServer) {
    throw new ProtocolError(
      "too_many",
      "Too many prompts are open on this server. Wait until some are answered.",
    );
  }
  const { budgetId } = session;
  if (budgetId === null) return open();
  const stored = async (whose: string) =>
    (await env.store.budgetOpenCount(whose === "machines" ? undefined : budgetId)) - replaced;
  return env.quotas.add(payerOfSession(budgetId, who), "openPrompts", stored, open, gone);
}

/** Takes one of the asks of the machine that the session counts to. */
export function spendAsk(env: Env, { budgetId }: Pick<SessionRow, "budgetId">): void {
  if (budgetId !== null) env.quotas.spend(payerOfSession(budgetId), "asksPerMinute");
}

/** A machine leaves some of the room to the agent of a session that is another's. */
function roomIn({ budgetId }: Pick<SessionRow, "budgetId">, who: Who | undefined): number {
  const isGuest = who?.kind === "machine" && payerOf(who).id !== budgetId;
  return LIMITS.openPromptsPerSession - (isGuest ? LIMITS.openPromptsKeptForSession : 0);
}

function payerOfSession(budgetId: string, who?: Who): Payer {
  const payer = who && payerOf(who);
  return payer?.id === budgetId ? payer : { kind: "machine", id: budgetId };
}
