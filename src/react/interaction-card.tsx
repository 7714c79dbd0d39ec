import type { InteractionView } from "../client/index.ts";
import type { CardProps } from "./card.tsx";
import { InputForm } from "./input-form.tsx";
import { QuestionPrompt } from "./question-prompt.tsx";
import { ToolApproval } from "./tool-approval.tsx";

export interface InteractionCardProps extends CardProps {
  sessionId: string;
  interaction: InteractionView;
}

/** The card that fits the prompt: an approval, questions, or a form. */
export function InteractionCard(props: InteractionCardProps) {
  const { request } = props.interaction;
  if (request.interactionType === "approval") return <ToolApproval {...props} />;
  return request.questions ? <QuestionPrompt {...props} /> : <InputForm {...props} />;
}
