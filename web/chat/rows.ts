import {
  type BlockView,
  type ChatView,
  type InteractionView,
  type TurnView,
  UNREAD_TURN,
  usageWords,
} from "../../src/client/index.ts";

/** One line of the transcript: what the virtual list measures and draws. */
export type Row =
  | { key: string; kind: "block"; block: Exclude<BlockView, { kind: "tools" }>; first: boolean }
  | { key: string; kind: "tools"; callIds: string[]; first: boolean }
  | { key: string; kind: "end"; end: NonNullable<TurnView["end"]>; usage: string; first: false }
  | { key: string; kind: "typing"; first: false };

type Message = Extract<BlockView, { kind: "message" }>;

/**
 * The transcript, flat. Messages whose turn has not begun stand by the composer instead, and so do
 * prompts of a part that has not been read: at its far end nobody would find them.
 */
export function toRows(view: ChatView): Row[] {
  const rows: Row[] = [];
  for (const turn of view.turns) {
    if (turn.id === UNREAD_TURN) continue;
    let first = true;
    for (const block of turn.blocks) {
      if (block.kind === "message" && block.queued) continue;
      if (block.kind === "tools") {
        rows.push({ key: block.id, kind: "tools", callIds: block.callIds, first });
      } else {
        rows.push({ key: block.id, kind: "block", block, first });
      }
      first = false;
    }
    const usage = usageWords(turn);
    if (turn.end && (turn.end !== "completed" || usage !== "")) {
      rows.push({ key: `${turn.id}:end`, kind: "end", end: turn.end, usage, first: false });
    }
  }
  if (view.typing) rows.push({ key: "typing", kind: "typing", first: false });
  return rows;
}

export function queuedMessages(view: ChatView): Message[] {
  return view.turns.flatMap(({ blocks }) =>
    blocks.filter((block): block is Message => block.kind === "message" && block.queued),
  );
}

/** Prompts that were asked before everything that has been read. */
export function unreadPrompts(view: ChatView): InteractionView[] {
  const blocks = view.turns.find(({ id }) => id === UNREAD_TURN)?.blocks ?? [];
  const calls = blocks.flatMap((block) => {
    if (block.kind === "tools") return block.callIds;
    return block.kind === "questionnaire" ? [block.callId] : [];
  });
  return calls.flatMap((id) => {
    const last = view.calls.get(id)?.interactionIds.at(-1);
    return (last && view.interactions.get(last)) || [];
  });
}

/** Which prompt a row shows, so that it can be found and kept. */
export function promptsOf(row: Row, view: ChatView): string[] {
  if (row.kind === "tools") {
    return row.callIds.flatMap((id) => view.calls.get(id)?.interactionIds ?? []);
  }
  if (row.kind !== "block" || row.block.kind !== "questionnaire") return [];
  const { callId, interactionId } = row.block;
  return [...(view.calls.get(callId)?.interactionIds ?? []), interactionId];
}

export function hasOpenPrompt(row: Row, view: ChatView): boolean {
  return promptsOf(row, view).some((id) => view.interactions.get(id)?.state === "open");
}
