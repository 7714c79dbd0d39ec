import { useState } from "react";
import { gistOfInput, type InteractionView } from "../client/index.ts";
import { SEND_REASON } from "../client/approval-choices.ts";
import { runsCommand } from "../client/approval-title.ts";
import { ApprovalActions } from "./approval-actions.tsx";
import { Card, type CardProps } from "./card.tsx";
import { MissingComponents, useDrawn } from "./load-on-demand.tsx";
import {
  AboutCall,
  DenyReason,
  EditInput,
  InputMissing,
  PlainApproval,
  DecidedApproval,
  ToolInput,
} from "./on-demand-components.ts";
import { placeChoices } from "./place-choices.ts";
import { type ApprovalModel, useApproval } from "./use-approval.ts";

export type ToolApprovalProps = CardProps & { sessionId: string } & (
    | { interaction: InteractionView }
    | {
        interaction?: undefined;
        toolCallId: string;
        toolName: string;
        /** What the call would run with: JSON text, or the value itself. */
        input: unknown;
      }
  );

/** Asks whether a call may run. With an `interaction` it offers everything the prompt does. */
export function ToolApproval(props: ToolApprovalProps) {
  return props.interaction ? (
    <Approval key={props.interaction.id} {...props} />
  ) : (
    <PlainApproval key={props.toolCallId} {...props} />
  );
}

interface ApprovalProps extends CardProps {
  sessionId: string;
  interaction: InteractionView;
  send?: Parameters<typeof useApproval>[0]["send"];
}

/** The card of an approval. */
export function Approval(props: ApprovalProps) {
  const [isDrawn, count] = useDrawn();
  const model = useApproval({ ...props, isDrawn });
  const { card, input } = model;
  /** Opened here and now, so that its field takes the focus. */
  const [opened, setOpened] = useState<"edit" | "reason">();
  const { allow } = placeChoices(model.choices);
  const chord = model.reasonOpen ? SEND_REASON : (allow?.label ?? "does nothing");
  return (
    <MissingComponents value={count}>
      <Card
        {...props}
        card={card}
        kind="approval"
        send={() => (model.reasonOpen ? model.deny() : allow && model.choose(allow))}
        chord={chord}
        lead={<About model={model} />}
        ended={<DecidedApproval model={model} />}
        gist={gistOfInput(card.interaction.response?.updatedInput ?? input.value) || undefined}
        actions={
          <ApprovalActions
            model={model}
            open={(what) => {
              setOpened(what);
              if (what === "edit") model.startEdit?.();
              else model.setReasonOpen(true);
            }}
          />
        }
      >
        {model.edited !== undefined && (
          <EditInput key={model.editing} model={model} takesFocus={opened !== undefined} />
        )}
        {model.reasonOpen && <DenyReason model={model} takesFocus={opened === "reason"} />}
      </Card>
    </MissingComponents>
  );
}

function About({ model }: { model: ApprovalModel }) {
  const { request } = model.card.interaction;
  return (
    <div className="bk-body">
      <AboutCall request={{ ...request, toolInput: model.input.value }} />
      {model.edited === undefined && <WillRun model={model} />}
    </div>
  );
}

function WillRun({ model: { card, input, isDrawn, markSeen } }: { model: ApprovalModel }) {
  if (input.status !== "ready") return <InputMissing input={input} />;
  return (
    <ToolInput
      value={input.value}
      changes={input.changes}
      folder={card.interaction.request.context?.cwd}
      except={runsCommand(card.interaction.request.toolName) ? SAID : undefined}
      onSeen={isDrawn ? markSeen : undefined}
    />
  );
}

/** What is shown as the words of whoever calls a command. */
const SAID = ["Description"] as const;
