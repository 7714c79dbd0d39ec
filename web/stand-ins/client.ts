import type {
  BlockView,
  ChatView,
  InteractionView,
  ToolCallView,
  TurnView,
} from "../../src/client/index.ts";
import type {
  ChatEvent,
  InteractionRecord,
  SessionRecord,
  TransientEvent,
} from "../../src/protocol/index.ts";
import type { Transport } from "../../src/transport/index.ts";

/** Something that changes, as React reads it. */
export interface Store<State> {
  getSnapshot: () => State;
  subscribe: (listener: () => void) => () => void;
  close: () => void;
}

export interface ChatState {
  view: ChatView;
  session?: SessionRecord;
  /** False until the first events are there. */
  ready: boolean;
  failed?: { code: string; error: string };
}

export interface ChatSession extends Store<ChatState> {
  loadOlder: () => Promise<void>;
}

function createStore<State>(initial: State) {
  let state = initial;
  let queued = false;
  const listeners = new Set<() => void>();
  return {
    getSnapshot: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    set(next: State) {
      state = next;
      if (queued) return;
      queued = true;
      queueMicrotask(() => {
        queued = false;
        for (const listener of listeners) listener();
      });
    },
  };
}

/** A minimal reducer that builds everything again; the real one takes its place. */
function buildView(
  sessionId: string,
  events: ChatEvent[],
  streams: Map<string, string>,
  outputs: Map<string, string>,
  status: ChatView["status"],
): ChatView {
  const turns: TurnView[] = [];
  const calls = new Map<string, ToolCallView>();
  const interactions = new Map<string, InteractionView>();
  const pending: string[] = [];
  const turnOf = (id: string, kind: TurnView["kind"]): TurnView => {
    const found = turns.find((turn) => turn.id === id);
    if (found) return found;
    const made: TurnView = { id, kind, blocks: [] };
    turns.push(made);
    return made;
  };
  const withoutCall = (callId: string): BlockView[] | undefined => {
    for (const turn of turns) {
      const at = turn.blocks.findIndex((b) => b.kind === "tools" && b.callIds.includes(callId));
      if (at >= 0) return turn.blocks;
    }
    return undefined;
  };
  for (const event of events) {
    const { id, timestamp: at, turnId } = event;
    const turn = () => turnOf(turnId ?? `out:${id}`, turnId ? "turn" : "outside");
    switch (event.type) {
      case "user_message": {
        const { text, messageId, source, interactionId } = event.payload;
        const kind = "message" as const;
        turnOf(`out:${id}`, "outside").blocks.push({
          kind,
          id,
          at,
          text,
          messageId,
          source,
          interactionId,
          queued: true,
        });
        break;
      }
      case "turn_start": {
        turn().trigger = event.payload.trigger;
        const own = turns.findIndex((one) =>
          one.blocks.some((b) => b.kind === "message" && b.messageId === event.payload.messageId),
        );
        if (own < 0) break;
        const [block] = turns[own]?.blocks ?? [];
        if (block?.kind === "message") turn().blocks.push({ ...block, queued: false });
        turns.splice(own, 1);
        break;
      }
      case "text":
        turn().blocks.push({ kind: "text", id, at, text: event.payload.text, streaming: false });
        break;
      case "thinking":
        turn().blocks.push({ kind: "thinking", id, at, text: event.payload.text });
        break;
      case "error":
        turn().blocks.push({ kind: "error", id, at, ...event.payload });
        break;
      case "turn_end":
        turn().end = event.payload.status;
        break;
      case "tool_call": {
        const { toolCallId, toolName: name, input, origin } = event.payload;
        calls.set(toolCallId, {
          id: toolCallId,
          name,
          input,
          origin,
          status: "running",
          output: outputs.get(toolCallId) ?? "",
          interactionIds: [],
          placeholder: false,
          startedAt: at,
        });
        const blocks = turn().blocks;
        const last = blocks.at(-1);
        const alone = last?.kind !== "tools" || last.callIds.some((c) => interactions.has(c));
        if (alone) blocks.push({ kind: "tools", id, callIds: [toolCallId] });
        else last.callIds.push(toolCallId);
        break;
      }
      case "tool_result": {
        const { toolCallId, ok, result, error } = event.payload;
        const call = calls.get(toolCallId);
        if (call) {
          Object.assign(call, { status: ok ? "ok" : "error", result, error, endedAt: at });
        }
        break;
      }
      case "interaction_pending": {
        const { interactionId, pending: is, queued, orphaned } = event.payload;
        const shown = interactions.get(interactionId);
        if (is) pending.push(interactionId);
        else if (pending.includes(interactionId)) pending.splice(pending.indexOf(interactionId), 1);
        if (shown) {
          shown.pending = is;
          if (queued) shown.late = "queued";
          if (orphaned) shown.late = "orphaned";
        }
        break;
      }
      case "interaction_request": {
        const { interactionId, toolCallId, presentation } = event.payload;
        interactions.set(interactionId, {
          id: interactionId,
          callId: toolCallId,
          request: event.payload,
          state: "open",
          pending: pending.includes(interactionId),
          askedAt: at,
        });
        const call = calls.get(toolCallId);
        for (const old of call?.interactionIds ?? []) {
          const before = interactions.get(old);
          if (before) before.state = "replaced";
        }
        call?.interactionIds.push(interactionId);
        const blocks = withoutCall(toolCallId) ?? turn().blocks;
        const own = blocks.find((b) => b.kind === "tools" && b.callIds.includes(toolCallId));
        if (own?.kind === "tools" && own.callIds.length > 1) {
          own.callIds = own.callIds.filter((one) => one !== toolCallId);
          const tools = { kind: "tools" as const, id: `${id}:alone`, callIds: [toolCallId] };
          blocks.splice(blocks.indexOf(own) + 1, 0, tools);
        }
        if (presentation === "questionnaire") {
          const made = { kind: "questionnaire" as const, id, callId: toolCallId, interactionId };
          const before = blocks.findIndex(
            (b) =>
              (b.kind === "questionnaire" && b.callId === toolCallId) ||
              (b.kind === "tools" && b.callIds.length === 1 && b.callIds[0] === toolCallId),
          );
          if (before >= 0) blocks[before] = made;
          else blocks.push(made);
        }
        break;
      }
      case "interaction_response":
      case "interaction_closed": {
        const shown = interactions.get(event.payload.interactionId);
        if (!shown) break;
        shown.endedAt = at;
        shown.pending = false;
        if (event.type === "interaction_response") {
          Object.assign(shown, { state: "answered", response: event.payload });
        } else {
          const { reason, message } = event.payload;
          Object.assign(shown, { state: "closed", reason, message });
        }
        break;
      }
      default:
    }
  }
  for (const id of pending) {
    const call = calls.get(interactions.get(id)?.callId ?? "");
    if (call && !call.endedAt) call.status = "waiting";
  }
  const running = turns.findLast((turn) => turn.kind === "turn" && !turn.end);
  for (const [id, text] of streams) {
    running?.blocks.push({ kind: "text", id, at: "", text, streaming: true });
  }
  return {
    sessionId,
    firstSeq: events[0]?.seq ?? 0,
    lastSeq: events.at(-1)?.seq ?? 0,
    turns,
    calls,
    interactions,
    pending,
    status,
    typing: running !== undefined && pending.length === 0,
  };
}

export function createChatSession(transport: Transport, sessionId: string): ChatSession {
  let events: ChatEvent[] = [];
  const streams = new Map<string, string>();
  const outputs = new Map<string, string>();
  let status: ChatView["status"] = "idle";
  const view = () => buildView(sessionId, events, streams, outputs, status);
  const store = createStore<ChatState>({ view: view(), ready: false });
  let drawn = 0;
  const changed = (more: Partial<ChatState> = {}) => {
    const next = { ...store.getSnapshot(), ...more };
    cancelAnimationFrame(drawn);
    drawn = requestAnimationFrame(() => store.set({ ...next, ready: true, view: view() }));
  };
  const transient = (event: TransientEvent) => {
    if (event.type === "text_delta") {
      const { blockId, offset, text } = event.payload;
      streams.set(blockId, (streams.get(blockId) ?? "").slice(0, offset) + text);
    } else if (event.type === "tool_output_delta") {
      const { toolCallId, offset, text } = event.payload;
      outputs.set(toolCallId, (outputs.get(toolCallId) ?? "").slice(0, offset) + text);
    } else status = event.payload.status;
  };
  const stop = transport.subscribe(
    sessionId,
    { tail: 300 },
    {
      started: ({ session }) => {
        events = [];
        changed({ session });
      },
      event: (event) => {
        if ("seq" in event) {
          if (event.type === "text") streams.clear();
          events.push(event);
        } else transient(event);
        changed();
      },
      failed: (failed) => changed({ failed }),
    },
  );
  let loading: Promise<void> | undefined;
  return {
    ...store,
    loadOlder() {
      const before = events[0]?.seq ?? 1;
      if (before <= 1) return Promise.resolve();
      loading ??= transport
        .events(sessionId, { before, limit: 300 })
        .then((page) => {
          events = [...page.events, ...events];
          changed();
        })
        .finally(() => (loading = undefined));
      return loading;
    },
    close: stop,
  };
}

export interface InboxState {
  ready: boolean;
  interactions: InteractionRecord[];
}

export function createInbox(transport: Transport): Store<InboxState> {
  const store = createStore<InboxState>({ ready: false, interactions: [] });
  const stop = transport.watchInbox({
    list: (interactions) => store.set({ ready: true, interactions }),
    updated: (one) => {
      const others = store.getSnapshot().interactions.filter(({ id }) => id !== one.id);
      const interactions = one.status === "pending" ? [...others, one] : others;
      store.set({
        ready: true,
        interactions: interactions.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt)),
      });
    },
  });
  return { ...store, close: stop };
}

export interface SessionListState {
  ready: boolean;
  sessions: SessionRecord[];
}

export function createSessionList(transport: Transport): Store<SessionListState> {
  const store = createStore<SessionListState>({ ready: false, sessions: [] });
  const put = (sessions: SessionRecord[]) =>
    store.set({
      ready: true,
      sessions: sessions.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt)),
    });
  const load = async () => {
    const { sessions } = await transport.sessions();
    put(sessions);
  };
  void load().catch(() => {});
  const stop = transport.watchSessions({
    updated: (one) => put([one, ...store.getSnapshot().sessions.filter(({ id }) => id !== one.id)]),
    deleted: (gone) => put(store.getSnapshot().sessions.filter(({ id }) => id !== gone)),
    stale: () => void load().catch(() => {}),
  });
  return { ...store, close: stop };
}

/** Control, bidi and zero-width characters as escapes that can be seen. */
export function visibleText(text: string): string {
  return text.replaceAll(
    // oxlint-disable-next-line no-control-regex, no-misleading-character-class
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
