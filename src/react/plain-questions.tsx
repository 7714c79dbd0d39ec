import { useMemo } from "react";
import type { ResponseBody } from "../protocol/index.ts";
import { standIn } from "./prompt-from-props.ts";
import type { QuestionPromptProps } from "./question-prompt.tsx";
import { Questions } from "./questions.tsx";
import { useTransport } from "./transport-context.tsx";

/** Questions known only by their call, which cannot tell what became of them elsewhere. */
export function PlainQuestions(props: Extract<QuestionPromptProps, { toolCallId: string }>) {
  const { sessionId, toolCallId, questions } = props;
  const transport = useTransport();
  const interaction = useMemo(
    () => standIn(sessionId, toolCallId, { toolName: "ask", interactionType: "input", questions }),
    [sessionId, toolCallId, questions],
  );
  const send = ({ input, responseId }: ResponseBody) =>
    transport.submitAnswers(sessionId, toolCallId, input?.answers as Record<string, string>, {
      responseId,
    });
  return <Questions {...props} interaction={interaction} send={send} />;
}
