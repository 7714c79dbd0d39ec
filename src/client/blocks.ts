import { appendBlock, placeOf, storedEnd } from "./apply-turns.ts";
import type { Draft } from "./draft.ts";
import type { BlockView, InteractionView } from "./view.ts";

/*
 * Which block shows what. Calls next to each other share a block, until one of them asks: then it
 * stands alone. A questionnaire takes the place of its call's block, unless a program asks it that
 * the call runs: then it stands below.
 */

interface Place {
  turn: number;
  block: number;
}

type Origin = { id: string; turnId?: string };

const tools = (...callIds: string[]): BlockView => ({
  kind: "tools",
  id: `tools:${callIds[0]}`,
  callIds,
});

const questionnaire = (prompt: InteractionView): BlockView => ({
  kind: "questionnaire",
  id: `questionnaire:${prompt.id}`,
  callId: prompt.callId,
  interactionId: prompt.id,
});

/** Shows a call after what its turn has so far, with the calls before it where they stand together. */
export function showCall(draft: Draft, event: Origin, callId: string): void {
  const index = placeOf(draft, event);
  const blocks = draft.turns[index]?.blocks ?? [];
  const at = storedEnd(blocks) - 1;
  const last = blocks[at];
  if (last?.kind !== "tools" || last.callIds.some((id) => hasAsked(draft, id))) {
    return appendBlock(draft, index, tools(callId));
  }
  draft.replaceBlock({ turn: index, block: at }, { ...last, callIds: [...last.callIds, callId] });
}

/** Shows a prompt inside its call's block, which then holds no other call. */
export function showInCall(
  draft: Draft,
  event: Origin,
  prompt: InteractionView,
  before: InteractionView | undefined,
): void {
  const old = before && findQuestionnaire(draft, before.id);
  const place = findCall(draft, prompt.callId);
  if (place) {
    isolate(draft, place, prompt.callId, tools(prompt.callId));
    if (old) draft.replaceBlock(old);
  } else if (old) {
    draft.replaceBlock(old, tools(prompt.callId));
  } else {
    appendBlock(draft, placeOf(draft, event), tools(prompt.callId));
  }
}

/** Shows a prompt by itself: where the one before it was, or in the place of its call's block. */
export function showAlone(
  draft: Draft,
  event: Origin,
  prompt: InteractionView,
  before: InteractionView | undefined,
): void {
  const old = before && findQuestionnaire(draft, before.id);
  if (old) {
    const block = draft.turns[old.turn]?.blocks[old.block];
    if (block?.kind !== "questionnaire") return;
    return draft.replaceBlock(old, { ...block, interactionId: prompt.id });
  }
  const place = findCall(draft, prompt.callId);
  if (!place) {
    const sibling = findSibling(draft, prompt.callId);
    const turn = sibling === undefined ? placeOf(draft, event) : sibling;
    return appendBlock(draft, turn, questionnaire(prompt));
  }
  const stays = prompt.request.anchored || asksInBlock(draft, prompt.callId);
  const own = stays ? [tools(prompt.callId)] : [];
  isolate(draft, place, prompt.callId, ...own, questionnaire(prompt));
}

/** Splits a block of calls at one of them, and puts `alone` there. */
function isolate(draft: Draft, place: Place, callId: string, ...alone: BlockView[]): void {
  const block = draft.turns[place.turn]?.blocks[place.block];
  if (block?.kind !== "tools") return;
  const isOnly = block.callIds.length === 1;
  if (isOnly && alone.every(({ kind }) => kind === "tools")) return;
  const at = block.callIds.indexOf(callId);
  const before = block.callIds.slice(0, at);
  const after = block.callIds.slice(at + 1);
  draft.replaceBlock(
    place,
    ...(before.length > 0 ? [tools(...before)] : []),
    ...alone.map((one) => (isOnly && one.kind === "tools" ? block : one)),
    ...(after.length > 0 ? [tools(...after)] : []),
  );
}

function hasAsked(draft: Draft, callId: string): boolean {
  return (draft.calls.get(callId)?.interactionIds.length ?? 0) > 0;
}

function asksInBlock(draft: Draft, callId: string): boolean {
  const asked = draft.calls.get(callId)?.interactionIds ?? [];
  return asked.some((id) => draft.interactions.get(id)?.request.presentation === "tool");
}

function findCall(draft: Draft, callId: string): Place | undefined {
  return find(draft, (block) => block.kind === "tools" && block.callIds.includes(callId));
}

function findQuestionnaire(draft: Draft, interactionId: string): Place | undefined {
  return find(
    draft,
    (block) => block.kind === "questionnaire" && block.interactionId === interactionId,
  );
}

/** The turn in which another questionnaire of the call stands. */
function findSibling(draft: Draft, callId: string): number | undefined {
  return find(draft, (block) => block.kind === "questionnaire" && block.callId === callId)?.turn;
}

/** From the end: what changes is nearly always the newest. */
function find(draft: Draft, fits: (block: BlockView) => boolean): Place | undefined {
  for (let turn = draft.turns.length - 1; turn >= 0; turn--) {
    const block = draft.turns[turn]?.blocks.findLastIndex(fits) ?? -1;
    if (block >= 0) return { turn, block };
  }
  return undefined;
}
