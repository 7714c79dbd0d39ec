import { useId, useMemo, useState } from "react";
import { type InteractionView, visibleText } from "../client/index.ts";
import type { InteractionRequest, ResponseBody } from "../protocol/index.ts";
import type { ApprovalChoice } from "./approval-choices.ts";
import { Card, type CardProps } from "./card.tsx";
import { EditInput } from "./edit-input.tsx";
import { standIn } from "./prompt-from-props.ts";
import { LinkOut } from "./link-out.tsx";
import { ToolInput } from "./tool-input.tsx";
import { useTransport } from "./transport-context.tsx";
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

function PlainApproval(props: Extract<ToolApprovalProps, { toolCallId: string }>) {
  const { sessionId, toolCallId, toolName, input } = props;
  const transport = useTransport();
  const interaction = useMemo(
    () =>
      standIn(sessionId, toolCallId, {
        toolName,
        interactionType: "approval",
        toolInput: typeof input === "string" ? parseOr(input) : input,
      }),
    [sessionId, toolCallId, toolName, input],
  );
  const send = ({ action, approvalScope, reason, stop, responseId }: ResponseBody) =>
    action === "approve"
      ? transport.approveTool(sessionId, toolCallId, { scope: approvalScope, responseId })
      : transport.denyTool(sessionId, toolCallId, { reason, stop, responseId });
  return <Approval {...props} interaction={interaction} send={send} />;
}

function parseOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

interface ApprovalProps extends CardProps {
  sessionId: string;
  interaction: InteractionView;
  send?: Parameters<typeof useApproval>[0]["send"];
}

function Approval(props: ApprovalProps) {
  const model = useApproval(props);
  const { card, input } = model;
  const { request } = card.interaction;
  const first = model.choices.find(({ decision }) => decision === "approve");
  return (
    <Card
      {...props}
      card={card}
      kind="approval"
      title={`Allow ${request.toolName}?`}
      news={`Permission needed: ${request.toolName}`}
      send={() => first && model.choose(first)}
      keys={`1–${model.choices.length} go to a choice · Ctrl+Enter ${first?.label ?? ""} · Esc leaves a field`}
      ended={input.status === "ready" && <Ran model={model} />}
    >
      <Facts request={request} />
      {request.prompt !== undefined && (
        <blockquote className="bk-words" aria-label="What the agent says">
          {visibleText(request.prompt, { multiline: true })}
        </blockquote>
      )}
      {request.link && <LinkOut url={request.link.url} />}
      {model.edited === undefined ? <WillRun model={model} /> : <EditInput model={model} />}
      <Choices model={model} />
      <Deny model={model} />
    </Card>
  );
}

/** From the server, never from the agent: they stand apart from what it says about itself. */
function Facts({ request: { toolName, context = {} } }: { request: InteractionRequest }) {
  const facts: [string, string | undefined][] = [
    ["Tool", toolName],
    ["Folder", context.cwd],
    ["Blocked path", context.blockedPath],
    ["What", context.title],
    ["Details", context.description],
    ["Why it asks", context.reason],
  ];
  return (
    <dl className="bk-facts" data-beckon-facts="">
      {facts.map(
        ([name, fact]) =>
          fact !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{visibleText(fact, { multiline: true })}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function WillRun({ model: { input, markSeen, startEdit } }: { model: ApprovalModel }) {
  if (input.status === "failed")
    return (
      <p className="bk-problem" role="alert">
        The input of this call could not be read, so it cannot be approved yet.{" "}
        <button type="button" onClick={input.reload}>
          Read it again
        </button>
      </p>
    );
  if (input.status === "loading")
    return (
      <p className="bk-notice" role="status">
        Reading the whole input ({Math.ceil((input.bytes ?? 0) / 1024)} KiB). Approve works once it
        is here.
      </p>
    );
  return (
    <>
      <ToolInput value={input.value} onSeen={markSeen} />
      {startEdit && (
        <button type="button" onClick={startEdit}>
          Edit the input
        </button>
      )}
    </>
  );
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
  const id = useId();
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
      {open && (
        <div
          className="bk-reason"
          onKeyDown={(event) => {
            // Here the chord belongs to the field: it sends the reason, it does not approve.
            if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            model.deny();
          }}
        >
          <label htmlFor={id}>What should be done instead?</label>
          <textarea
            id={id}
            rows={3}
            value={model.reason}
            onChange={(event) => model.setReason(event.target.value)}
          />
          <label>
            <input
              type="checkbox"
              checked={model.stop}
              onChange={(event) => model.setStop(event.target.checked)}
            />{" "}
            Also stop the agent
          </label>
          <button type="button" data-decision="deny" onClick={model.deny}>
            Deny and send the reason
          </button>
        </div>
      )}
    </div>
  );
}

/** Afterwards: what was decided about, folded, as a person left it. */
function Ran({ model: { card, input } }: { model: ApprovalModel }) {
  const edited = card.interaction.response?.updatedInput;
  const ran = edited ?? input.value;
  if (ran === undefined) return null;
  return (
    <details>
      <summary>{edited === undefined ? "Input" : "Input, as edited"}</summary>
      <ToolInput value={ran} />
    </details>
  );
}
