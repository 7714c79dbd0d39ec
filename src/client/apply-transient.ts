import type { TransientEvent } from "../protocol/index.ts";
import { isStreaming, turnOf } from "./apply-turns.ts";
import type { Draft } from "./draft.ts";
import type { Memory } from "./memory.ts";
import { addPiece, keepEnd, NO_STREAM, textOf } from "./stream.ts";
import type { BlockView } from "./view.ts";

/** How much of a running call's output is kept, in UTF-16 units: its end. */
const OUTPUT_UNITS = 64 * 1024;

/** `session_status` changes nothing here: the log says it too, and says it again when replayed. */
export function applyTransient(draft: Draft, event: TransientEvent): void {
  if (event.type === "text_delta") growText(draft, event);
  else if (event.type === "tool_output_delta") growOutput(draft, event);
}

function growText(draft: Draft, event: Extract<TransientEvent, { type: "text_delta" }>): void {
  const { turnId, timestamp, payload } = event;
  if (turnId === undefined) return;
  const known = draft.streams.get(payload.blockId);
  if (!known && isOver(draft, turnId, payload.blockId)) return;
  const grown = addPiece(known ?? NO_STREAM, payload);
  if (grown === known) return;
  draft.streams.set(payload.blockId, {
    pieces: grown.pieces,
    turnId,
    at: known?.at ?? timestamp,
  });
  showStream(draft, payload.blockId);
}

/** A piece that comes again after its block or its turn has ended. */
function isOver(draft: Draft, turnId: string, blockId: string): boolean {
  const turn = draft.turns.findLast((one) => one.id === turnId);
  return turn?.end !== undefined || (turn?.blocks.some((block) => block.id === blockId) ?? false);
}

function showStream(draft: Draft, blockId: string): void {
  const stream = draft.streams.get(blockId);
  if (!stream) return;
  const { blocks } = draft.turnAt(turnOf(draft, stream.turnId));
  const block: BlockView = {
    kind: "text",
    id: blockId,
    at: stream.at,
    text: textOf(stream),
    streaming: true,
  };
  const at = blocks.findLastIndex((one) => isStreaming(one) && one.id === blockId);
  if (at < 0) blocks.push(block);
  else blocks[at] = block;
}

function growOutput(
  draft: Draft,
  event: Extract<TransientEvent, { type: "tool_output_delta" }>,
): void {
  const { toolCallId, offset, text } = event.payload;
  const call = draft.calls.get(toolCallId);
  if (!call || call.endedAt !== undefined) return;
  const known = draft.outputs.get(toolCallId) ?? NO_STREAM;
  const grown = keepEnd(addPiece(known, { offset, text }), OUTPUT_UNITS);
  if (grown === known) return;
  draft.outputs.set(toolCallId, grown);
  showOutput(draft, toolCallId);
}

function showOutput(draft: Draft, callId: string): void {
  const call = draft.calls.get(callId);
  const output = draft.outputs.get(callId);
  if (call && output) draft.calls.set(callId, { ...call, output: textOf(output) });
}

/** Brings over what was being written in a view that is built anew, if it has not been finished. */
export function carryOver(
  draft: Draft,
  { streams, outputs }: Pick<Memory, "streams" | "outputs">,
): void {
  for (const [blockId, stream] of streams) {
    if (isOver(draft, stream.turnId, blockId)) continue;
    draft.streams.set(blockId, stream);
    showStream(draft, blockId);
  }
  for (const [callId, output] of outputs) {
    if (draft.calls.get(callId)?.endedAt !== undefined) continue;
    draft.outputs.set(callId, output);
    showOutput(draft, callId);
  }
}
