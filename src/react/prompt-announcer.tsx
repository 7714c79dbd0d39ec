import { useEffect } from "react";
import { toInteractionView } from "../client/index.ts";
import type { InteractionRecord } from "../protocol/index.ts";
import { useAnnounce } from "./live-region.tsx";
import { endOf, newsOf } from "./prompt-words.ts";
import { useTransport } from "./transport-context.tsx";

/**
 * Tells screen readers of every new prompt and of every end, over all sessions, also where no card
 * is on screen: a row that was scrolled away, or one that a list let go of. What a card has said is
 * not said again. Mount it once below the provider.
 */
export function PromptAnnouncer(): null {
  const transport = useTransport();
  const announce = useAnnounce();
  useEffect(() => {
    /** What was open when it was last heard of; missing until the first list. */
    let open: Set<string> | undefined;
    const tellEnd = (record: InteractionRecord) => {
      if (record.status === "pending") return;
      announce(endOf(toInteractionView(record), transport.clientId), record.id);
    };
    const tellNews = ({ id, request }: InteractionRecord) => {
      if (open && !open.has(id)) announce(newsOf(request), id);
    };
    return transport.watchInbox({
      list(records) {
        records.forEach(tellNews);
        const now = new Set(records.map(({ id }) => id));
        const ended = [...(open ?? [])].filter((id) => !now.has(id));
        open = now;
        // They ended while the line was down. One that cannot be read is gone with its session.
        for (const id of ended) void transport.interaction(id).then(tellEnd, () => {});
      },
      updated(record) {
        if (record.status !== "pending") {
          if (open?.delete(record.id)) tellEnd(record);
          return;
        }
        tellNews(record);
        open?.add(record.id);
      },
    });
  }, [transport, announce]);
  return null;
}
