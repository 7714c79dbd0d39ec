import { LIMITS, ProtocolError } from "../../protocol/index.ts";
import { isJournaled, journalWrite, valueOf } from "../call/journal.ts";
import type { Departure } from "../run/departure.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { LiveCall } from "../call/live-call.ts";
import type { SessionRow, Who } from "../ports.ts";
import { type Payer, payerOf, type Quotas } from "../live/quotas.ts";
import { ToolError } from "../call/tool.ts";
import type { CorePorts } from "../api.ts";
import type { Presence } from "../live/presence.ts";

export interface MayAskPorts extends Pick<CorePorts, "store"> {
  presence: Presence;
  quotas: Quotas;
}

/** Decided once a call, at its first prompt: a restart or a re-prompt never asks again who is there. */
export async function checkAvailable(
  ports: MayAskPorts,
  run: LiveRun,
  call: LiveCall,
): Promise<void> {
  call.available ??= isAvailable(ports, run, call);
  if (await call.available) return;
  throw new ToolError(
    "interaction_unavailable",
    "Nobody is there to answer: no client with interactive mode on is connected.",
  );
}

async function isAvailable(ports: MayAskPorts, run: LiveRun, call: LiveCall): Promise<boolean> {
  const before = call.journal.get("available");
  if (before) return valueOf(before) === true;
  const value = await ports.presence.somebodyIsThere();
  if (isJournaled(call)) run.remember(journalWrite(call, "available", "value", { value }));
  return value;
}

interface Asked {
  /** Prompts of other sessions that are on their way to the store. */
  others: number;
  /** How many open prompts this one closes. */
  replaced: number;
  /** Who asks from outside; the prompts of agents have nobody. */
  who?: Who;
  /** Comes when the run that asks is held by this process no more. */
  gone?: Departure;
}

/**
 * Opens a prompt if there is room for one more: in its session, on the server, and in the budget of
 * the machine that the session counts to. Throws `too_many` if there is not.
 */
export async function withRoom<Result>(
  ports: MayAskPorts,
  session: Pick<SessionRow, "id" | "budgetId">,
  { others, replaced, who, gone }: Asked,
  open: () => Promise<Result>,
): Promise<Result> {
  const here = (await ports.store.openCount(session.id)) - replaced;
  const everywhere = (await ports.store.openCount()) - replaced + others;
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
    (await ports.store.budgetOpenCount(whose === "machines" ? undefined : budgetId)) - replaced;
  return ports.quotas.add(payerOfSession(budgetId, who), "openPrompts", stored, open, gone);
}

/** Takes one of the asks of the machine that the session counts to. */
export function spendAsk(ports: MayAskPorts, { budgetId }: Pick<SessionRow, "budgetId">): void {
  if (budgetId !== null) ports.quotas.spend(payerOfSession(budgetId), "asksPerMinute");
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
