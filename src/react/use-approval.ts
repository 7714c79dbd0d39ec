import { useState } from "react";
import type { InteractionView } from "../client/index.ts";
import {
  type ApprovalChoice,
  DENY,
  toApprovalResponse,
  toChoices,
} from "../client/approval-choices.ts";
import {
  editablePart,
  type EditedPart,
  parseEdit,
  toEditableText,
} from "../client/edited-input.ts";
import type { ResponseBody } from "../protocol/index.ts";
import type { Reply } from "../transport/index.ts";
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
  /**
   * Whether all that is to be judged is on screen: until it is, nothing can be approved.
   *
   * @default true
   */
  isDrawn?: boolean;
}

/** An approval without its markup: what is asked, and everything that a person may do about it. */
export interface ApprovalModel {
  card: CardModel;
  input: LoadedInput;
  choices: ApprovalChoice[];
  /** Approving works: the prompt is not fresh, and its whole input was read and seen. */
  canApprove: boolean;
  isDrawn: boolean;
  /** Tells that the end of the input was on screen. */
  markSeen: () => void;
  seen: boolean;
  /** Approves or denies, as the choice says. Approving too early does nothing. */
  choose: (choice: ApprovalChoice) => void;
  /** Denies, with the reason if one was written. */
  deny: () => void;
  /** Denies, and ends the agent's turn. */
  denyAndStop: () => void;
  /** A reason is being written: until it is left, nothing can be approved. */
  reasonOpen: boolean;
  setReasonOpen: (open: boolean) => void;
  reason: string;
  setReason: (reason: string) => void;
  /** Denying also ends the turn. */
  stop: boolean;
  setStop: (stop: boolean) => void;
  /** The text that is edited: the command itself, or the input as JSON; missing while it is not. */
  edited?: string;
  editing: EditedPart;
  /** What editing would begin with. */
  editable: EditedPart;
  /** Why the edited text cannot run. */
  editProblem?: string;
  /** By default it edits the command, where there is one that a text field can show as it is. */
  startEdit?: (part?: EditedPart) => void;
  setEdited: (text: string | undefined) => void;
}

interface ApprovalDraft {
  reason: string;
  stop: boolean;
  edited?: string;
  /** Which part the edited text is; all of the input where it does not say. */
  part?: EditedPart;
}

/** State and handlers of an approval, for those who draw their own card. */
export function useApproval(options: ApprovalOptions): ApprovalModel {
  const { interaction, isDrawn = true } = options;
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
  const part = draft.part ?? "input";
  const edit = parseEdit(edited, input.value, part);
  const [reasonOpen, setReasonOpen] = useState(reason !== "" || stop);
  const [editsLeft, setEditsLeft] = useState(0);
  const ready = input.status === "ready";
  // A button that comes alive when what it is about arrives, or a reason or an edit is left, is new
  // again.
  const isLive = card.answerable && ready && isDrawn && !reasonOpen;
  const armed = useArmed(isLive, editsLeft);
  const canApprove = armed && !edit.problem && (seen || edited !== undefined);

  function decide(choice: ApprovalChoice, alsoStop = stop) {
    const isYes = choice.decision === "approve";
    if (isYes && !canApprove) return;
    const said = { ...(reason.trim() !== "" && { reason }), ...(alsoStop && { stop: true }) };
    void card.respond({
      ...toApprovalResponse(interaction.request, choice),
      ...(isYes ? edit.changed && { updatedInput: edit.value } : said),
    });
  }

  return {
    card,
    input,
    choices: toChoices(interaction.request),
    canApprove,
    isDrawn,
    markSeen: () => setSeen(true),
    seen,
    choose: (choice) => decide(choice),
    deny: () => decide(DENY),
    denyAndStop: () => decide(DENY, true),
    reasonOpen,
    setReasonOpen(open) {
      setReasonOpen(open);
      // A tick that is out of sight must not end the turn with the next plain Deny.
      if (!open && stop) change({ stop: false });
    },
    reason,
    setReason: (next) => change({ reason: next }),
    stop,
    setStop: (next) => change({ stop: next }),
    edited,
    editing: part,
    editable: editablePart(input.value),
    editProblem: edit.problem,
    startEdit:
      interaction.request.editable && ready
        ? (wanted = editablePart(input.value)) =>
            change({ edited: toEditableText(edit.value ?? input.value, wanted), part: wanted })
        : undefined,
    setEdited(next) {
      if (next === undefined) setEditsLeft((count) => count + 1);
      change({ edited: next });
    },
  };
}
