import { LATE_NOTICE } from "../client/unanswered-words.ts";
import { useBeckon, useConnection } from "./transport-context.tsx";
import type { CardModel } from "./use-card.ts";

/** Why a card that is open cannot be answered now, or where its answer goes. */
export function CardNotice({ card }: { card: CardModel }) {
  const { enable } = useBeckon();
  const connection = useConnection();
  if (card.state === "read_only")
    return (
      <p className="bk-notice">
        Answering here is off: enable it to respond.{" "}
        {enable && (
          <button type="button" onClick={enable}>
            Enable
          </button>
        )}
      </p>
    );
  if (card.state === "submitting" && connection.state !== "online")
    return (
      <p className="bk-notice" role="status">
        There is no connection. Your answer is sent as soon as it is back.
      </p>
    );
  const { late } = card.interaction;
  return late ? <p className="bk-notice">{LATE_NOTICE[late]}</p> : null;
}
