import { useState } from "react";
import type { InteractionView } from "../client/index.ts";
import type { ResponseBody } from "../protocol/index.ts";
import type { Reply } from "../transport/index.ts";
import { type ApprovalChoice, toChoices } from "./approval-choices.ts";
import { parseEdit, toEditableJson } from "./edited-input.ts";
import { type CardModel, useCard } from "./use-card.ts";
import { useDraft } from "./use-draft.ts";
import { useArmed } from "./use-time.ts";
import { type LoadedInput, useToolInput } from "./use-tool-input.ts";

export interface ApprovalOptions {
  sessionId: string;
  interaction: InteractionView;
  /** Whether people may answer here. By default as the provider says. */
  interactive?: boolean;
  /** Sends the answer in another way than by the prompt's id. */
  send?: (body: ResponseBody) => Promise<Reply>;
}

/** An approval without its markup: what is asked, and everything that a person may do about it. */
export interface ApprovalModel {
  card: CardModel;
  input: LoadedInput;
  choices: ApprovalChoice[];
  /** Approving works: the prompt is not fresh, and its whole input was read and seen. */
  canApprove: boolean;
  /** Tells that the end of the input was on screen. */
  markSeen: () => void;
  seen: boolean;
  /** Approves or denies, as the choice says. Approving too early does nothing. */
  choose: (choice: ApprovalChoice) => void;
  deny: () => void;
  reason: string;
  setReason: (reason: string) => void;
  /** Denying also ends the turn. */
  stop: boolean;
  setStop: (stop: boolean) => void;
  /** The input as JSON text while it is edited; missing while it is not. */
  edited?: string;
  /** Why the edited text cannot run. */
  editProblem?: string;
  startEdit?: () => void;
  setEdited: (text: string | undefined) => void;
}

interface ApprovalDraft {
  reason: string;
  stop: boolean;
  edited?: string;
}

/** State and handlers of an approval, for those who draw their own card. */
export function useApproval(options: ApprovalOptions): ApprovalModel {
  const { interaction } = options;
  const draftId = interaction.id;
  const card = useCard({ ...options, draftId });
  const input = useToolInput(interaction);
  const [seen, setSeen] = useState(false);
  const { state: draft, change } = useDraft<ApprovalDraft>(draftId, (kept) => ({
    reason: "",
    stop: false,
    ...kept,
  }));
  const { reason, stop } = draft;
  const edited = interaction.request.editable ? draft.edited : undefined;
  const edit = parseEdit(edited, input.value);
  const ready = input.status === "ready";
  // A button that comes alive when its input arrives is as new as the input.
  const armed = useArmed(card.answerable && ready);
  const canApprove = armed && !edit.problem && (seen || edited !== undefined);

  function deny(optionId?: string) {
    void card.respond({
      action: "deny",
      ...(optionId === undefined ? {} : { optionId }),
      ...(reason.trim() === "" ? {} : { reason }),
      ...(stop ? { stop } : {}),
    });
  }

  function choose({ decision, scope, optionId }: ApprovalChoice) {
    if (decision === "deny") return deny(optionId);
    if (!canApprove) return;
    void card.respond({
      action: "approve",
      ...(scope === undefined ? {} : { approvalScope: scope }),
      ...(optionId === undefined ? {} : { optionId }),
      ...(edit.changed ? { updatedInput: edit.value } : {}),
    });
  }

  return {
    card,
    input,
    choices: toChoices(interaction.request),
    canApprove,
    markSeen: () => setSeen(true),
    seen,
    choose,
    deny: () => deny(),
    reason,
    setReason: (next) => change({ reason: next }),
    stop,
    setStop: (next) => change({ stop: next }),
    edited,
    editProblem: edit.problem,
    startEdit:
      interaction.request.editable && ready
        ? () => change({ edited: toEditableJson(input.value) })
        : undefined,
    setEdited: (next) => change({ edited: next }),
  };
}
