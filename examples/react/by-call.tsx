import type { Question } from "beckon/protocol";
import { QuestionPrompt, ToolApproval, TransportProvider } from "beckon/react";
import type { Transport } from "beckon/transport";
import { useState } from "react";
import "./my-colours.css";

interface Call {
  sessionId: string;
  toolCallId: string;
  toolName: string;
  input: unknown;
  questions?: Question[];
}

/** What a call asks, for an app that follows a turn by stream events and knows only the call. */
export function ByCall({ transport, call }: { transport: Transport; call: Call }) {
  const [mayAnswer, setMayAnswer] = useState(false);
  const { sessionId, toolCallId, toolName, input, questions } = call;
  return (
    // #region provider
    <TransportProvider
      transport={transport}
      interactive={mayAnswer}
      onEnable={() => setMayAnswer(true)}
      storage={null}
    >
      {/* #region cards */}
      <ToolApproval
        sessionId={sessionId}
        toolCallId={toolCallId}
        toolName={toolName}
        input={input}
      />
      {questions && (
        <QuestionPrompt sessionId={sessionId} toolCallId={toolCallId} questions={questions} />
      )}
      {/* #endregion cards */}
    </TransportProvider>
    // #endregion provider
  );
}
