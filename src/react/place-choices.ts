import type { ApprovalChoice } from "../client/index.ts";

/**
 * One no and one yes stand side by side; what covers more than this call, or needs more words than a
 * button has room for, stands apart: it is not to be pressed before it was read.
 */
export function placeChoices(choices: ApprovalChoice[]) {
  const isShort = ({ label }: ApprovalChoice) => label.length <= SHORT_LABEL;
  const deny = choices.find((one) => one.decision === "deny" && isShort(one));
  const first = choices.find(({ decision }) => decision === "approve");
  const isNarrow = first?.scope === "once" || first?.covers.length === 0;
  const allow = first && isNarrow && isShort(first) ? first : undefined;
  return { deny, allow, more: choices.filter((one) => one !== deny && one !== allow) };
}

const SHORT_LABEL = 24;
