import { LIMITS, ProtocolError } from "../../protocol/index.ts";
import { isJournaled, journalWrite, valueOf } from "../call/journal.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { LiveCall } from "../call/live-call.ts";
import type { Limit, SessionRow, Who } from "../ports.ts";
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

/**
 * How many prompts there may be with one more: in its session, on the server, and in the budget of
 * the machine that the session counts to. The commit that opens it is refused beyond that.
 *
 * @param who who asks from outside; the prompts of agents have nobody
 */
export function roomFor(
  { quotas }: MayAskPorts,
  session: Pick<SessionRow, "id" | "budgetId">,
  who?: Who,
): Limit[] {
  const of = "openPrompts";
  const limits: Limit[] = [
    { of, sessionId: session.id, most: roomIn(session, who) },
    { of, most: LIMITS.openPromptsPerServer },
  ];
  const { budgetId } = session;
  if (budgetId === null) return limits;
  for (const [whose, most] of quotas.limitsOf(payerOfSession(budgetId, who), of)) {
    const isShared = whose === "machines";
    if (most < Infinity) limits.push({ of, budgetId: isShared ? null : budgetId, most });
  }
  return limits;
}

/** What is said where a limit is reached. */
export function noRoom(
  { quotas }: MayAskPorts,
  { budgetId: payer }: Pick<SessionRow, "budgetId">,
  limit: Limit,
  who?: Who,
): ProtocolError {
  const budgetId = "budgetId" in limit ? limit.budgetId : undefined;
  if (budgetId !== undefined && payer !== null) {
    return quotas.refusalOf(payerOfSession(payer, who), "openPrompts", budgetId === null);
  }
  return new ProtocolError(
    "too_many",
    limit.sessionId === undefined
      ? "Too many prompts are open on this server. Wait until some are answered."
      : "Too many prompts are open in this session. Wait until some are answered.",
  );
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
