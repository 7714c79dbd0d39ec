import { useId, useState } from "react";
import {
  firstLine,
  gistOfInput,
  type InteractionView,
  isConfirmation,
  visibleText,
} from "../client/index.ts";
import type { InteractionRequest } from "../protocol/index.ts";
import { AgentSays } from "./agent-says.tsx";
import type { ApprovalChoice } from "./approval-choices.ts";
import { Card, type CardProps } from "./card.tsx";
import { DenyReason, EditInput, InputMissing, PlainApproval, Ran } from "./parts.ts";
import { LinkOut } from "./link-out.tsx";
import { ToolInput } from "./tool-input.tsx";
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
  const model = useApproval(props);
  const { card, input } = model;
  const { request } = card.interaction;
  const [editing, setEditing] = useState(false);
  const first = model.choices.find(({ decision }) => decision === "approve");
  return (
    <Card
      {...props}
      card={card}
      kind="approval"
      send={() => first && model.choose(first)}
      keys={`${choiceKeys(model.choices.length)}Ctrl+Enter ${first?.label ?? ""} · Esc leaves a field`}
      lead={<About model={model} />}
      ended={<Ran model={model} />}
      gist={
        gistOfInput(card.interaction.response?.updatedInput ?? input.value) || questionOf(request)
      }
    >
      {model.edited !== undefined && <EditInput model={model} autoFocus={editing} />}
      {model.edited === undefined && model.startEdit && (
        <button
          type="button"
          onClick={() => {
            setEditing(true);
            model.startEdit?.();
          }}
        >
          Edit the input
        </button>
      )}
      <Choices model={model} />
      <Deny model={model} />
    </Card>
  );
}

/** What a confirmation was about: it runs nothing that could say so. */
const questionOf = (request: InteractionRequest) =>
  isConfirmation(request) && request.prompt !== undefined ? firstLine(request.prompt) : undefined;

const choiceKeys = (count: number) => (count > 1 ? `1–${count} go to a choice · ` : "");

function About({ model }: { model: ApprovalModel }) {
  const { request } = model.card.interaction;
  return (
    <div className="bk-body">
      <Facts request={request} />
      <AgentSays request={request} />
      {request.link && <LinkOut url={request.link.url} />}
      {model.edited === undefined && <WillRun model={model} />}
    </div>
  );
}

/** From the server, never from the agent: they stand apart from what it says about itself. */
function Facts({ request: { context, toolInput } }: { request: InteractionRequest }) {
  // A runtime may pass on what the model wrote into the input: that is no fact, and stands there.
  const written = new Set(Object.values(toolInput ?? {}));
  const facts = FACTS.filter(
    ([, key]) =>
      context?.[key] !== undefined && !(key === "description" && written.has(context[key])),
  );
  if (facts.length === 0) return null;
  return (
    <dl className="bk-facts" data-beckon-facts="">
      {facts.map(([name, key]) => (
        <div key={key}>
          <dt>{name}</dt>
          <dd>{visibleText(context?.[key] ?? "", { multiline: true })}</dd>
        </div>
      ))}
    </dl>
  );
}

const FACTS = [
  ["Asked by", "askedBy"],
  ["Folder", "cwd"],
  ["Blocked path", "blockedPath"],
  ["What", "title"],
  ["Details", "description"],
  ["Why it asks", "reason"],
] as const;

function WillRun({ model: { input, markSeen } }: { model: ApprovalModel }) {
  if (input.status !== "ready") return <InputMissing input={input} />;
  return <ToolInput value={input.value} onSeen={markSeen} />;
}

function Choices({ model: { choices, canApprove, choose } }: { model: ApprovalModel }) {
  const id = useId();
  return (
    <div className="bk-choices" role="group" aria-label="Your decision" data-beckon-options="">
      {choices.map((choice: ApprovalChoice, index) => (
        <div key={choice.key} className="bk-choice">
          <button
            type="button"
            data-beckon-option=""
            data-decision={choice.decision}
            disabled={choice.decision === "approve" && !canApprove}
            aria-describedby={choice.covers.length > 0 ? `${id}${index}` : undefined}
            onClick={() => choose(choice)}
          >
            {visibleText(choice.label)}
          </button>
          {choice.covers.length > 0 && (
            <ul id={`${id}${index}`} className="bk-covers">
              {choice.covers.map((line) => (
                <li key={line}>{visibleText(line)}</li>
              ))}
            </ul>
          )}
        </div>
      ))}
    </div>
  );
}

function Deny({ model }: { model: ApprovalModel }) {
  const [open, setOpen] = useState(model.reason !== "" || model.stop);
  const offered = model.choices.some(({ decision }) => decision === "deny");
  return (
    <div className="bk-deny">
      {!offered && (
        <button type="button" data-decision="deny" onClick={model.deny}>
          Deny
        </button>
      )}
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        Deny with a reason
      </button>
      {open && <DenyReason model={model} />}
    </div>
  );
}
