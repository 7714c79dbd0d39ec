import { randomUUID } from "node:crypto";
import type { PermissionUpdate, QueryOptions } from "../claude/sdk.ts";

/** What Claude Code asks, in its own words. */
type Request =
  | {
      subtype: "can_use_tool";
      tool_name: string;
      input: Record<string, unknown>;
      tool_use_id: string;
      permission_suggestions?: PermissionUpdate[];
      title?: string;
      display_name?: string;
      description?: string;
      decision_reason?: string;
      decision_reason_type?: string;
      blocked_path?: string;
      matched_ask_rule?: object;
    }
  | {
      subtype: "elicitation";
      mcp_server_name: string;
      message: string;
      mode?: "form" | "url";
      url?: string;
      requested_schema?: Record<string, unknown>;
    }
  | { subtype: "other" };

type Message =
  | { type: "control_request"; request_id: string; request: Request }
  | { type: "control_cancel_request"; request_id: string }
  | {
      type: "control_response";
      response: { subtype: string; request_id: string; response?: unknown; error?: string };
    }
  | { type: "other" };

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** What is said beside the conversation: what Claude Code asks, and what it is told to do. */
export class Control {
  readonly #options: QueryOptions;
  readonly #write: (message: object) => void;
  readonly #asked = new Map<string, AbortController>();
  readonly #waiting = new Map<string, Waiting>();
  #isClosed = false;

  constructor(options: QueryOptions, write: (message: object) => void) {
    this.#options = options;
    this.#write = write;
  }

  /** Whether it was a message for here. */
  take(given: Record<string, unknown>): boolean {
    const message = given as Message;
    switch (message.type) {
      case "control_request":
        void this.#reply(message.request_id, message.request);
        return true;
      case "control_cancel_request":
        this.#asked.get(message.request_id)?.abort();
        return true;
      case "control_response":
        this.#settle(message.response);
        return true;
      default:
        return false;
    }
  }

  /** Tells Claude Code to do something; resolves with what it says to that. */
  request(request: { subtype: string } & Record<string, unknown>): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(new Error(ENDED));
    const id = randomUUID();
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#write({ type: "control_request", request_id: id, request });
    });
  }

  /** It has ended: nobody waits for an answer any more, and none will come. */
  close(): void {
    this.#isClosed = true;
    for (const asked of this.#asked.values()) asked.abort();
    for (const waiting of this.#waiting.values()) waiting.reject(new Error(ENDED));
    this.#waiting.clear();
  }

  async #reply(id: string, request: Request): Promise<void> {
    const asked = new AbortController();
    this.#asked.set(id, asked);
    const response = await this.#answer(id, request, asked.signal).then(
      (answer) => ({ subtype: "success", request_id: id, response: answer }),
      (error: unknown) => ({ subtype: "error", request_id: id, error: String(error) }),
    );
    this.#asked.delete(id);
    this.#write({ type: "control_response", response });
  }

  async #answer(requestId: string, request: Request, signal: AbortSignal): Promise<unknown> {
    const { canUseTool, onElicitation } = this.#options;
    if (request.subtype === "can_use_tool") {
      return canUseTool(request.tool_name, request.input, {
        signal,
        requestId,
        toolUseID: request.tool_use_id,
        suggestions: request.permission_suggestions,
        title: request.title,
        displayName: request.display_name,
        description: request.description,
        decisionReason: request.decision_reason,
        decisionReasonType: request.decision_reason_type,
        blockedPath: request.blocked_path,
        matchedAskRule: request.matched_ask_rule,
      });
    }
    if (request.subtype === "elicitation") {
      const { mcp_server_name: serverName, requested_schema: requestedSchema } = request;
      const { message, mode, url } = request;
      const asked = { serverName, message, mode, url, requestedSchema };
      return onElicitation(asked, { signal, requestId });
    }
    throw new Error("Beckon does not know this request.");
  }

  #settle(reply: Extract<Message, { type: "control_response" }>["response"]): void {
    const waiting = this.#waiting.get(reply.request_id);
    this.#waiting.delete(reply.request_id);
    if (reply.subtype === "success") waiting?.resolve(reply.response);
    else waiting?.reject(new Error(reply.error));
  }
}

const ENDED = "Claude Code has ended.";
