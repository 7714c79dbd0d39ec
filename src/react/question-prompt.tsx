import type { InteractionView } from "../client/index.ts";
import type { Question } from "../protocol/index.ts";
import type { CardProps } from "./card.tsx";
import { PlainQuestions, Questions } from "./on-demand-components.ts";

export type QuestionPromptProps = CardProps & { sessionId: string } & (
    | { interaction: InteractionView }
    | { interaction?: undefined; toolCallId: string; questions: Question[] }
  );

/** Asks questions with options. With an `interaction` it shows every state of the prompt. */
export function QuestionPrompt(props: QuestionPromptProps) {
  return props.interaction ? (
    <Questions key={props.interaction.id} {...props} />
  ) : (
    <PlainQuestions key={props.toolCallId} {...props} />
  );
}
