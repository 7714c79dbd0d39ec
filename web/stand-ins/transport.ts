import type {
  ChatEvent,
  InteractionRecord,
  ServerFrame,
  SessionRecord,
} from "../../src/protocol/index.ts";
import {
  type Connection,
  type InboxListener,
  type LogListener,
  type PromptRef,
  type Reply,
  type SessionsListener,
  type Transport,
  TransportError,
} from "../../src/transport/index.ts";

interface Follower {
  sessionId: string;
  after?: number;
  tail?: number;
  listener: LogListener;
}

/** Just enough of a WebSocket transport to see the app work; the real one takes its place. */
export function createWebSocketTransport(): Transport {
  const clientId = crypto.randomUUID();
  const followers = new Set<Follower>();
  const inboxes = new Set<InboxListener>();
  const lists = new Set<SessionsListener>();
  const watchers = new Set<(connection: Connection) => void>();
  const waiting = new Map<string, (frame: ServerFrame) => void>();
  let connection: Connection = { state: "connecting" };
  let socket: WebSocket | undefined;
  let interactive = true;
  let retryMs = 500;
  let timer = 0;
  let ended = false;

  function become(next: Connection): void {
    connection = next;
    for (const watcher of watchers) watcher(next);
  }

  function send(frame: object): void {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
  }

  function follow(one: Follower): void {
    const cursor = one.after === undefined ? { tail: one.tail } : { afterSeq: one.after };
    send({ type: "subscribe", sessionId: one.sessionId, ...cursor });
  }

  function connect(): void {
    become({ state: "connecting" });
    const opened = new WebSocket(location.origin.replace(/^http/, "ws") + "/ws");
    socket = opened;
    opened.addEventListener("open", () => {
      retryMs = 500;
      const interaction = { supported: true, enabled: interactive };
      send({ type: "hello", protocolVersion: 1, client: { id: clientId }, interaction });
      if (inboxes.size > 0) send({ type: "subscribe", inbox: true });
      for (const one of followers) follow(one);
      for (const list of lists) list.stale();
      become({ state: "online" });
    });
    opened.addEventListener("message", ({ data }) => receive(JSON.parse(String(data))));
    opened.addEventListener("close", () => void lost());
  }

  async function lost(): Promise<void> {
    if (ended) return;
    const me = await fetch("/api/auth/me").catch(() => undefined);
    if (me?.status === 401) return become({ state: "signed_out" });
    become({ state: "offline", retryAt: Date.now() + retryMs });
    timer = window.setTimeout(connect, retryMs);
    retryMs = Math.min(retryMs * 2, 10_000);
  }

  function receive(frame: ServerFrame): void {
    const { ref } = frame;
    if (typeof ref === "string") {
      waiting.get(ref)?.(frame);
      waiting.delete(ref);
    }
    switch (frame.type) {
      case "subscribed":
        for (const one of followers) {
          if (one.sessionId !== frame.session.id || one.after !== undefined) continue;
          const from = Math.max(0, frame.lastSeq - (one.tail ?? frame.lastSeq));
          one.after = from;
          one.listener.started({ ...frame, from });
        }
        break;
      case "chat_event":
        for (const one of followers) {
          if (one.sessionId !== frame.sessionId) continue;
          if ("seq" in frame.event) {
            if (frame.event.seq <= (one.after ?? 0)) continue;
            one.after = frame.event.seq;
          }
          one.listener.event(frame.event);
        }
        break;
      case "inbox":
        for (const one of inboxes) one.list(frame.interactions);
        break;
      case "interaction_updated":
        for (const one of inboxes) one.updated(frame.interaction);
        break;
      case "session_updated":
        for (const one of lists) one.updated(frame.session);
        break;
      case "session_deleted":
        for (const one of lists) one.deleted(frame.sessionId);
        break;
      case "error":
        for (const one of followers) {
          if (one.sessionId === frame.sessionId) one.listener.failed(frame);
        }
        break;
      default:
    }
  }

  async function call<T>(path: string, method = "GET", body?: unknown): Promise<T> {
    const sent = body ? { body: JSON.stringify(body) } : {};
    const headers: Record<string, string> = body ? { "content-type": "application/json" } : {};
    const init: RequestInit = { method, headers, ...sent };
    const answer = await fetch(`/api${path}`, init).catch(() => {
      throw new TransportError("unreachable", "The server does not answer.");
    });
    const json = answer.status === 204 ? {} : await answer.json();
    if (!answer.ok) throw new TransportError(json.code, json.error, { status: answer.status });
    return json as T;
  }

  function ask(frame: object): Promise<ServerFrame> {
    const ref = crypto.randomUUID();
    return new Promise((resolve) => {
      waiting.set(ref, resolve);
      send({ ...frame, ref });
    });
  }

  async function respond(to: PromptRef, body: object): Promise<Reply> {
    const { toolCallId: callId, ...ids } = to;
    const frame = { type: "tool_interaction_response", ...ids, callId, ...body };
    return (await ask(frame)) as unknown as Reply;
  }

  async function latest(sessionId: string, toolCallId: string): Promise<PromptRef> {
    const { interactions } = await call<{ interactions: InteractionRecord[] }>(
      `/interactions?status=pending&sessionId=${sessionId}`,
    );
    const found = interactions.find((one) => one.toolCallId === toolCallId);
    return { sessionId, toolCallId, interactionId: found?.id ?? "" };
  }

  connect();
  return {
    clientId,
    connection: () => connection,
    onConnection(listener) {
      watchers.add(listener);
      return () => watchers.delete(listener);
    },
    reconnect() {
      clearTimeout(timer);
      if (connection.state === "offline") connect();
    },
    close() {
      ended = true;
      socket?.close();
    },
    sessions: ({ cursor } = {}) => call(`/sessions${cursor ? `?cursor=${cursor}` : ""}`),
    session: (id) => call(`/sessions/${id}`),
    createSession: (body = {}) => call<SessionRecord>("/sessions", "POST", body),
    updateSession: (id, body) => call(`/sessions/${id}`, "PATCH", body),
    deleteSession: (id) => call(`/sessions/${id}`, "DELETE"),
    agents: async () =>
      (await call<{ agents: { id: string; name: string; description: string }[] }>("/agents"))
        .agents,
    events: (id, query) => {
      const text = new URLSearchParams(
        Object.entries(query).map(([key, value]) => [key, String(value)]),
      );
      return call<{ events: ChatEvent[]; lastSeq: number; logId: string }>(
        `/sessions/${id}/events?${text}`,
      );
    },
    interaction: (id) => call(`/interactions/${id}`),
    grants: async () => (await call<{ grants: [] }>("/grants")).grants,
    revokeGrant: (id) => call(`/grants/${id}`, "DELETE"),
    subscribe(sessionId, { after, tail }, listener) {
      const one: Follower = { sessionId, after, tail, listener };
      followers.add(one);
      follow(one);
      return () => {
        followers.delete(one);
        send({ type: "unsubscribe", sessionId });
      };
    },
    watchInbox(listener) {
      inboxes.add(listener);
      send({ type: "subscribe", inbox: true });
      return () => inboxes.delete(listener);
    },
    watchSessions(listener) {
      lists.add(listener);
      return () => lists.delete(listener);
    },
    async sendMessage(sessionId, message) {
      const reply = await ask({ type: "user_message", sessionId, ...message });
      if (reply.type === "error") throw new TransportError(reply.code, reply.error);
      return { messageId: (reply as { messageId: string }).messageId };
    },
    async cancel(sessionId, turnId) {
      const reply = await ask({ type: "cancel", sessionId, turnId });
      return { stopped: reply.type === "ack" && reply.stopped === true };
    },
    setInteractive(enabled) {
      interactive = enabled;
      send({ type: "set_interaction_mode", enabled });
    },
    respond,
    submitAnswers: async (sessionId, callId, answers) =>
      respond(await latest(sessionId, callId), { action: "submit", input: { answers } }),
    approveTool: async (sessionId, callId, { scope, updatedInput } = {}) =>
      respond(await latest(sessionId, callId), {
        action: "approve",
        approvalScope: scope,
        updatedInput,
      }),
    denyTool: async (sessionId, callId, { reason, stop } = {}) =>
      respond(await latest(sessionId, callId), { action: "deny", reason, stop }),
  };
}
