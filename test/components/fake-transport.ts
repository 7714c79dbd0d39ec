import type { InteractionRecord, ResponseBody } from "../../src/protocol/index.ts";
import type {
  Connection,
  InboxListener,
  LogListener,
  PromptRef,
  Reply,
  SessionsListener,
  Transport,
} from "../../src/transport/index.ts";

/** A transport whose server is the test: it sees what was sent, and says what comes back. */
export class FakeTransport implements Transport {
  readonly clientId = "this-client";
  readonly sent: { to: PromptRef; body: ResponseBody }[] = [];
  readonly called: { method: string; args: unknown[] }[] = [];
  readonly records = new Map<string, InteractionRecord>();
  interactive = true;
  line: Connection = { state: "online" };
  /** What the next answers get; one that is a function may wait or throw. */
  replies: (Reply | (() => Promise<Reply>))[] = [];
  inbox: InboxListener | undefined;
  log: LogListener | undefined;
  list: SessionsListener | undefined;
  private readonly lines = new Set<(connection: Connection) => void>();

  private reply(): Promise<Reply> {
    const next = this.replies.shift() ?? { ok: true };
    return typeof next === "function" ? next() : Promise.resolve(next);
  }

  private note(method: string, ...args: unknown[]): void {
    this.called.push({ method, args });
  }

  /** The arguments of the calls of one method. */
  argumentsOf(method: string): unknown[][] {
    return this.called.filter((call) => call.method === method).map((call) => call.args);
  }

  setLine(connection: Connection): void {
    this.line = connection;
    for (const listener of this.lines) listener(connection);
  }

  connection = () => this.line;
  onConnection(listener: (connection: Connection) => void) {
    this.lines.add(listener);
    return () => void this.lines.delete(listener);
  }
  reconnect() {}
  close() {}
  setInteractive(enabled: boolean) {
    this.interactive = enabled;
  }

  respond(to: PromptRef, body: ResponseBody) {
    this.sent.push({ to, body });
    return this.reply();
  }
  submitAnswers(...args: Parameters<Transport["submitAnswers"]>) {
    this.note("submitAnswers", ...args);
    return this.reply();
  }
  approveTool(...args: Parameters<Transport["approveTool"]>) {
    this.note("approveTool", ...args);
    return this.reply();
  }
  denyTool(...args: Parameters<Transport["denyTool"]>) {
    this.note("denyTool", ...args);
    return this.reply();
  }

  interaction(id: string): Promise<InteractionRecord> {
    this.note("interaction", id);
    const record = this.records.get(id);
    return record ? Promise.resolve(record) : Promise.reject(new Error("There is no such prompt."));
  }
  watchInbox(listener: InboxListener) {
    this.inbox = listener;
    return () => {
      this.inbox = undefined;
    };
  }
  watchSessions(listener: SessionsListener) {
    this.list = listener;
    return () => {
      this.list = undefined;
    };
  }
  subscribe(sessionId: string, cursor: { after?: number; tail?: number }, listener: LogListener) {
    this.note("subscribe", sessionId, cursor);
    this.log = listener;
    return () => {
      this.log = undefined;
    };
  }

  pages: Awaited<ReturnType<Transport["sessions"]>>[] = [];
  sessions(query?: { cursor?: string }) {
    this.note("sessions", query);
    return Promise.resolve(this.pages.shift() ?? { sessions: [] });
  }
  sendMessage(...args: Parameters<Transport["sendMessage"]>) {
    this.note("sendMessage", ...args);
    return Promise.resolve({ messageId: args[1].messageId ?? "m1" });
  }
  cancel(...args: Parameters<Transport["cancel"]>) {
    this.note("cancel", ...args);
    return Promise.resolve({ stopped: true });
  }

  session = () => unexpected();
  createSession = () => unexpected();
  updateSession = () => unexpected();
  deleteSession = () => unexpected();
  agents = () => unexpected();
  events = (): ReturnType<Transport["events"]> => unexpected();
  grants = () => unexpected();
  revokeGrant = () => unexpected();
}

function unexpected(): never {
  throw new Error("This test did not expect that to be asked.");
}
