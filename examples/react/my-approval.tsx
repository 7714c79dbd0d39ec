import type { InteractionView } from "beckon/client";
import { ToolInput, useApproval } from "beckon/react";

// #region headless
export function MyApproval(props: { sessionId: string; interaction: InteractionView }) {
  const { card, input, choices, choose, deny, canApprove, markSeen } = useApproval(props);
  const { ref, summary } = card;
  if (summary) return <p>{summary}</p>;
  return (
    <section ref={ref} tabIndex={-1}>
      {input.status === "ready" && (
        <ToolInput value={input.value} changes={input.changes} onSeen={markSeen} />
      )}
      {choices.map((choice) => (
        <button key={choice.key} disabled={!canApprove} onClick={() => choose(choice)}>
          {choice.label}
        </button>
      ))}
      <button onClick={deny}>Deny</button>
    </section>
  );
}
// #endregion headless
