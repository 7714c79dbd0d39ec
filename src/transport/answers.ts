import type { ResponseBody } from "../protocol/index.ts";
import type { ConnectionState } from "./connection-state.ts";
import type { HttpApi } from "./http-api.ts";
import { closed, DISABLED, toReply } from "./replies.ts";
import { backoffMs, newId, type Timers } from "./timers.ts";
import { type PromptRef, type Reply, type Transport, TransportError } from "./transport.ts";

/** How long something that a person did is sent again before its promise rejects. */
export const GIVE_UP_MS = 5 * 60_000;

type Options<Name extends "approveTool" | "denyTool" | "submitAnswers"> = Exclude<
  Parameters<Transport[Name]>[Name extends "submitAnswers" ? 3 : 2],
  undefined
>;

type Answer = { responseId?: string; [part: string]: unknown };

/** Sends what a person did by HTTP, the same again until somebody answers. */
export class Answers {
  /** Off: nothing is sent, and the answer is `interaction_disabled`. */
  enabled = true;
  readonly #api: HttpApi;
  readonly #connection: ConnectionState;
  readonly #timers: Timers;
  readonly #pauses = new Set<() => void>();
  #closed = false;

  constructor(api: HttpApi, connection: ConnectionState, timers: Timers) {
    this.#api = api;
    this.#connection = connection;
    this.#timers = timers;
  }

  respond(to: PromptRef, body: ResponseBody): Promise<Reply> {
    return this.#post(`/api/interactions/${encodeURIComponent(to.interactionId)}/respond`, body);
  }

  approveTool(sessionId: string, toolCallId: string, options: Options<"approveTool"> = {}) {
    return this.#toCall(sessionId, "approve", { toolCallId, ...options });
  }

  denyTool(sessionId: string, toolCallId: string, options: Options<"denyTool"> = {}) {
    return this.#toCall(sessionId, "deny", { toolCallId, ...options });
  }

  submitAnswers(
    sessionId: string,
    toolCallId: string,
    answers: Record<string, string>,
    options: Options<"submitAnswers"> = {},
  ) {
    return this.#toCall(sessionId, "submit-answers", { toolCallId, answers, ...options });
  }

  /** Sends until it is answered, the transport is closed, or nobody has answered for long. */
  async untilAnswered<Result>(send: () => Promise<Result>): Promise<Result> {
    const deadline = this.#timers.now() + GIVE_UP_MS;
    for (let tries = 0; ; tries++) {
      try {
        return await send();
      } catch (error) {
        const nobody = error instanceof TransportError && error.code === "unreachable";
        if (!nobody || this.#timers.now() >= deadline) throw error;
      }
      await this.#pause(backoffMs(tries, this.#timers));
      if (this.#closed) throw closed();
    }
  }

  close(): void {
    this.#closed = true;
    for (const end of this.#pauses) end();
  }

  #toCall(sessionId: string, what: string, body: Answer): Promise<Reply> {
    return this.#post(`/api/sessions/${encodeURIComponent(sessionId)}/${what}`, body);
  }

  async #post(path: string, body: Answer): Promise<Reply> {
    if (!this.enabled) return DISABLED;
    const sent = { ...body, responseId: body.responseId ?? newId() };
    return toReply(await this.untilAnswered(() => this.#api.answer(path, sent)));
  }

  /** Ends early when the server can be reached again. */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        stop();
        unlisten();
        this.#pauses.delete(end);
        resolve();
      };
      const stop = this.#timers.timer(ms, end);
      const unlisten = this.#connection.listen(({ state }) => state === "online" && end());
      this.#pauses.add(end);
    });
  }
}
