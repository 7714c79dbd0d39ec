import type { InteractionView } from "../client/index.ts";
import type { CardProps } from "./card.tsx";
import { Form } from "./on-demand-components.ts";

export interface InputFormProps extends CardProps {
  sessionId: string;
  interaction: InteractionView;
}

/** Asks for the fields of a form; for a link, or for nothing but a yes, when there are none. */
export function InputForm(props: InputFormProps) {
  return <Form key={props.interaction.id} {...props} />;
}
