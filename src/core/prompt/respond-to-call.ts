import { type InteractionRecord, ProtocolError } from "../../protocol/index.ts";
import type { Core } from "../api.ts";
import { isOpen } from "../interaction.ts";
import type { InteractionRow, Who } from "../ports.ts";
import { respond, type RespondPorts } from "../respond.ts";
import { findSession } from "../session/sessions.ts";

type Given = Parameters<Core["respondToCall"]>[1];

/**
 * Answers a call whose prompt is not named: the one that is open, and of several the oldest. An
 * answer that is sent again finds the prompt that it decided, whatever the call has asked since.
 */
export async function respondToCall(
  ports: RespondPorts,
  who: Who,
  { kind, ...given }: Given,
): Promise<InteractionRecord> {
  await findSession(ports, who, given.sessionId);
  const rows = await ports.store.interactionsOfCall(given.sessionId, given.toolCallId);
  const { responseId } = given.body;
  const prompts = rows.filter((row) => isOfKind(row, kind));
  const decided = prompts.find(
    (row) => responseId !== undefined && row.decidedResponseId === responseId,
  );
  if (!decided) checkMeant(prompts);
  const prompt = decided ?? prompts.find(isOpen) ?? prompts.at(-1);
  if (!prompt) {
    throw new ProtocolError(
      "no_pending_interaction",
      kind === "approval"
        ? "This call asks for no approval. Look at GET /api/interactions for what waits."
        : "This call asks no questions. Look at GET /api/interactions for what waits.",
    );
  }
  return respond(ports, who, { ...given, interactionId: prompt.id });
}

/**
 * A program that asks in the place of a call must not win an answer for what the call itself asks:
 * whoever saw its prompt, also one that it has withdrawn, may have meant that.
 */
function checkMeant(prompts: InteractionRow[]): void {
  const own = prompts.find((row) => isOpen(row) && !row.request.anchored);
  if (!own || !prompts.some((row) => row.request.anchored)) return;
  throw new ProtocolError(
    "stale_interaction",
    "More than one asks in this call. Say which is meant: POST /api/interactions/ID/respond.",
    { current: own.id },
  );
}

function isOfKind({ request }: InteractionRow, kind: Given["kind"]): boolean {
  return kind === "approval"
    ? request.interactionType === "approval"
    : request.questions !== undefined;
}
