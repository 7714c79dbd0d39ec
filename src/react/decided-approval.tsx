import { isFromOutside, visibleText } from "../client/index.ts";
import { toldIn } from "../client/told-in-input.ts";
import { AgentSays } from "./agent-says.tsx";
import { ToolInput } from "./tool-input.tsx";
import { Unsent } from "./unsent.tsx";
import type { ApprovalModel } from "./use-approval.ts";

/** The input that was decided about, folded, as a person left it; and what they wrote that was not sent. */
export function DecidedApproval({ model }: { model: ApprovalModel }) {
  const { card, input } = model;
  const { action, updatedInput } = card.interaction.response ?? {};
  const { request } = card.interaction;
  const value = updatedInput ?? input.value;
  const asked = { ...request, toolInput: input.value };
  // What a person made of the words is not what the caller says.
  const isSaid = toldIn(asked) === toldIn({ ...request, toolInput: value });
  const what = isFromOutside(request)
    ? "What was asked"
    : action === "approve"
      ? "What ran"
      : "What it asked to run";
  return (
    <>
      {input.status === "ready" && value !== undefined && (
        <details>
          <summary>{updatedInput === undefined ? what : `${what}, as edited`}</summary>
          <AgentSays request={asked} />
          <ToolInput
            value={value}
            changes={updatedInput === undefined ? input.changes : undefined}
            folder={request.context?.cwd}
            except={isSaid ? SAID : undefined}
            label={what}
          />
        </details>
      )}
      <NotUsed model={model} />
    </>
  );
}

/** What was written here when somebody else decided. */
function NotUsed({ model: { card, reason, edited } }: { model: ApprovalModel }) {
  const mine = card.interaction.response?.responder.clientId === card.clientId;
  if (mine || (reason.trim() === "" && edited === undefined)) return null;
  return (
    <Unsent>
      {reason.trim() !== "" && <p className="bk-words">{visibleText(reason, MULTILINE)}</p>}
      {edited !== undefined && <pre className="bk-code">{visibleText(edited, MULTILINE)}</pre>}
    </Unsent>
  );
}

const SAID = ["Description"] as const;
const MULTILINE = { multiline: true };
