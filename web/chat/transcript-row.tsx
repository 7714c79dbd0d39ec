import { memo } from "react";
import { type ChatView, type TurnView, visibleText } from "../../src/client/index.ts";
import { InteractionCard } from "../../src/react/index.ts";
import { usePreferences } from "../preferences.ts";
import { EarlierSteps } from "../tools/earlier-steps.tsx";
import { ToolCall } from "../tools/tool-call.tsx";
import { ToolGroup } from "../tools/tool-group.tsx";
import { ErrorNote, Message, Text, Thinking } from "./blocks.tsx";
import type { Row } from "./rows.ts";

const ENDS: Record<Exclude<TurnView["end"], undefined | "completed">, string> = {
  cancelled: "Stopped",
  failed: "The agent failed here",
  interrupted: "Interrupted: the agent’s process ended",
};

interface Props {
  row: Row;
  view: ChatView;
}

/** Drawn again only when something in it changed: while text streams, all but one row stay. */
export const TranscriptRow = memo(DrawnRow, ({ row: before, view: old }, { row, view }) => {
  if (before.kind === "block" && row.kind === "block" && row.block.kind !== "questionnaire") {
    return before.block === row.block && old.sessionId === view.sessionId;
  }
  return old === view || (before.kind === "typing" && row.kind === "typing");
});

function DrawnRow({ row, view }: Props) {
  const { interactive } = usePreferences();
  const { sessionId } = view;
  switch (row.kind) {
    case "typing":
      return (
        <p className="typing" role="status">
          <span className="sr-only">The agent is at work</span>
          <i />
          <i />
          <i />
        </p>
      );
    case "end":
      return (
        <>
          {row.end !== "completed" && <p className="turn-end">{ENDS[row.end]}</p>}
          {row.usage !== "" && (
            <p className="text-xs text-soft tabular-nums">{visibleText(row.usage)}</p>
          )}
        </>
      );
    case "tools": {
      const [only, ...others] = row.callIds;
      const single = others.length === 0 && only !== undefined ? view.calls.get(only) : undefined;
      if (single) return <ToolCall call={single} view={view} />;
      return <ToolGroup callIds={row.callIds} view={view} />;
    }
    default:
  }
  const { block } = row;
  switch (block.kind) {
    case "message":
      return <Message block={block} sessionId={sessionId} />;
    case "text":
      return <Text text={block.text} streaming={block.streaming} />;
    case "thinking":
      return <Thinking text={block.text} />;
    case "error":
      return <ErrorNote code={block.code} message={block.message} />;
    case "questionnaire": {
      const interaction = view.interactions.get(block.interactionId);
      return (
        interaction && (
          <div className="grid gap-2">
            <EarlierSteps view={view} prompt={interaction} />
            <InteractionCard
              sessionId={sessionId}
              interaction={interaction}
              interactive={interactive}
            />
          </div>
        )
      );
    }
  }
}
