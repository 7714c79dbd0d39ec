import { LIMITS } from "../protocol/index.ts";
import type { EventOf } from "./event-of.ts";
import type { Draft } from "./draft.ts";
import type { BlockView, TurnView } from "./view.ts";

/** Where a turn stands; one that has not been seen yet begins now. */
export function turnOf(draft: Draft, turnId: string): number {
  const known = draft.turns.findLastIndex((turn) => turn.id === turnId);
  if (known >= 0) return known;
  draft.working.set(turnId, true);
  return beginTurn(draft, { id: turnId, kind: "turn", blocks: [] });
}

/** What belongs to no turn gets one of its own, named after its first event. */
export function placeOf(draft: Draft, event: { id: string; turnId?: string }): number {
  if (event.turnId !== undefined) return turnOf(draft, event.turnId);
  return beginTurn(draft, { id: event.id, kind: "outside", blocks: [] });
}

/** Messages that wait for their turn stay below everything that has begun. */
function beginTurn(draft: Draft, turn: TurnView): number {
  let index = draft.turns.length;
  while (index > 0 && queuedMessage(draft.turns[index - 1])) index--;
  draft.insertTurn(index, turn);
  return index;
}

function queuedMessage(turn: TurnView | undefined) {
  const [block] = turn?.kind === "outside" ? turn.blocks : [];
  return block?.kind === "message" && block.queued ? block : undefined;
}

/** Streaming blocks stay last: what is stored lies as if they were not there. */
export function appendBlock(draft: Draft, index: number, block: BlockView): void {
  const { blocks } = draft.turnAt(index);
  blocks.splice(storedEnd(blocks), 0, block);
}

/** How many blocks of a turn come from the log. */
export function storedEnd(blocks: readonly BlockView[]): number {
  let end = blocks.length;
  while (end > 0 && isStreaming(blocks[end - 1])) end--;
  return end;
}

export function isStreaming(block: BlockView | undefined): boolean {
  return block?.kind === "text" && block.streaming;
}

export function applyMessage(draft: Draft, event: EventOf<"user_message">): void {
  const { text, messageId, source, sender, interactionId } = event.payload;
  const block: BlockView = {
    kind: "message",
    id: event.id,
    at: event.timestamp,
    text,
    messageId,
    source,
    ...(sender === undefined ? {} : { sender }),
    ...(interactionId === undefined ? {} : { interactionId }),
    queued: event.turnId === undefined,
  };
  if (event.turnId !== undefined) return appendBlock(draft, turnOf(draft, event.turnId), block);
  draft.insertTurn(draft.turns.length, { id: event.id, kind: "outside", blocks: [block] });
}

export function applyTurnStart(draft: Draft, event: EventOf<"turn_start">): void {
  const { trigger, messageId } = event.payload;
  const message = messageId === undefined ? undefined : takeQueued(draft, messageId);
  const turn = draft.turnAt(turnOf(draft, event.turnId ?? event.id));
  turn.trigger = trigger;
  if (message) turn.blocks.unshift({ ...message, queued: false });
}

function takeQueued(draft: Draft, messageId: string) {
  const index = draft.turns.findLastIndex((turn) => queuedMessage(turn)?.messageId === messageId);
  const message = queuedMessage(draft.turns[index]);
  if (message) draft.removeTurn(index);
  return message ?? takeJoined(draft, messageId);
}

/** A message that was sent into a turn whose agent did not hear it any more. */
function takeJoined(draft: Draft, messageId: string) {
  const oldest = Math.max(0, draft.turns.length - 1 - LIMITS.queuedMessagesPerSession);
  for (let index = draft.turns.length - 1; index >= oldest; index--) {
    const at = draft.turns[index]?.blocks.findIndex(
      (block) => block.kind === "message" && block.messageId === messageId,
    );
    const [block] = at === undefined || at < 0 ? [] : draft.turnAt(index).blocks.splice(at, 1);
    if (block?.kind === "message") return block;
  }
  return undefined;
}

export function applyTurnEnd(draft: Draft, event: EventOf<"turn_end">): void {
  const index = draft.turns.findLastIndex((turn) => turn.id === event.turnId);
  if (index < 0) return;
  const turn = draft.turnAt(index);
  const { status, model, usage } = event.payload;
  turn.end = status;
  if (model !== undefined) turn.model = model;
  if (usage) turn.usage = usage;
  // What was never finished is in no log, and nobody who comes later will see it.
  turn.blocks = turn.blocks.slice(0, storedEnd(turn.blocks));
  draft.working.delete(turn.id);
  for (const [blockId, stream] of [...draft.streams.entries()]) {
    if (stream.turnId === turn.id) draft.streams.delete(blockId);
  }
}

export function applyText(draft: Draft, event: EventOf<"text">): void {
  const { text, blockId } = event.payload;
  const id = typeof blockId === "string" ? blockId : event.id;
  const index = placeOf(draft, event);
  if (draft.streams.has(id)) {
    const { blocks } = draft.turnAt(index);
    const at = blocks.findLastIndex((block) => isStreaming(block) && block.id === id);
    if (at >= 0) blocks.splice(at, 1);
    draft.streams.delete(id);
  }
  appendBlock(draft, index, {
    kind: "text",
    id,
    at: event.timestamp,
    text,
    streaming: false,
  });
}

export function applyThinking(draft: Draft, event: EventOf<"thinking">): void {
  const { text } = event.payload;
  appendBlock(draft, placeOf(draft, event), {
    kind: "thinking",
    id: event.id,
    at: event.timestamp,
    text,
  });
}

export function applyError(draft: Draft, event: EventOf<"error">): void {
  const { code, message, interactionId = "" } = event.payload;
  const denied = draft.interactions.get(interactionId);
  // Whoever said no is to read at its card that it came too late.
  if (denied) {
    draft.interactions.set(denied.id, { ...denied, failure: { code, message } });
    return;
  }
  appendBlock(draft, placeOf(draft, event), {
    kind: "error",
    id: event.id,
    at: event.timestamp,
    code,
    message,
  });
}
