import { useEffect, useState } from "react";
import { type InteractionView, toInteractionView } from "../client/index.ts";
import type { InteractionRecord } from "../protocol/index.ts";
import { useTransport } from "./transport-context.tsx";

/** One prompt, wherever it is, kept up to date. */
export interface InteractionState {
  status: "loading" | "ready" | "failed";
  record?: InteractionRecord;
  /** The same, as the cards take it. */
  interaction?: InteractionView;
  /** Why it could not be read. */
  error?: Error;
}

/** Follows one prompt by its id, as a link to it needs. */
export function useInteraction(interactionId: string): InteractionState {
  const transport = useTransport();
  const [state, setState] = useState<InteractionState>({ status: "loading" });
  useEffect(() => {
    let dropped = false;
    /** Counts what was told, so that an answer to an older question does not undo it. */
    let news = 0;
    const show = (record: InteractionRecord) => {
      news++;
      setState({ status: "ready", record, interaction: toInteractionView(record) });
    };
    const read = () => {
      const asked = news;
      transport.interaction(interactionId).then(
        (record) => {
          if (!dropped && news === asked) show(record);
        },
        (error: unknown) => {
          if (dropped || news !== asked) return;
          const why = error instanceof Error ? error : new Error(String(error));
          setState((before) => (before.record ? before : { status: "failed", error: why }));
        },
      );
    };
    // oxlint-disable-next-line react/set-state-in-effect -- what was read was of another
    setState({ status: "loading" });
    const end = transport.watchInbox({
      // The list holds what is open; what is no longer in it has to be read.
      list: read,
      updated: (record) => {
        if (record.id === interactionId) show(record);
      },
    });
    read();
    return () => {
      dropped = true;
      end();
    };
  }, [transport, interactionId]);
  return state;
}
