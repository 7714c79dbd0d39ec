import type { InteractionRecord } from "../../../protocol/index.ts";
import type { Transport } from "../../../transport/index.ts";
import { endOf } from "../ended.ts";
import { PromptEnded } from "./answering.ts";

/** A signal that aborts when a prompt is over, by whomever else; `stop` ends the watching. */
export function watchEnd(
  transport: Transport,
  { id }: InteractionRecord,
): { signal: AbortSignal; stop: () => void } {
  const over = new AbortController();
  const end = (record: InteractionRecord) => {
    if (record.status === "pending") return;
    // What was answered from here is told by its reply.
    if (record.response?.responder.clientId === transport.clientId) return;
    over.abort(new PromptEnded(endOf(record)));
  };
  const stop = transport.watchInbox({
    list(interactions) {
      if (interactions.some((one) => one.id === id)) return;
      transport.interaction(id).then(end, () => {
        over.abort(new PromptEnded("This prompt is gone."));
      });
    },
    updated(interaction) {
      if (interaction.id === id) end(interaction);
    },
  });
  return { signal: over.signal, stop };
}
