import { isDeepStrictEqual } from "node:util";
import type { ChatEvent } from "../../src/protocol/index.ts";
import type { EventOf } from "../scenarios/client.ts";

/** One session as a client knows it that has followed its log over all lives of the server. */
export class SessionView {
  readonly id: string;
  readonly log: ChatEvent[] = [];
  readonly problems: string[] = [];
  /** Prompts without an end. */
  readonly open: Map<string, EventOf<"interaction_request">> = new Map();
  /** Open prompts whose call has ended. */
  readonly detached = new Set<string>();
  readonly #running = new Set<string>();
  #turns = 0;

  constructor(id: string) {
    this.id = id;
  }

  get lastSeq(): number {
    return this.log.length;
  }

  /** Every message has had its turn, every call its result, every prompt its end. */
  get isOver(): boolean {
    return this.#turns === 0 && this.#running.size === 0 && this.open.size === 0;
  }

  /** Gives whether it is new: delivery is at least once. */
  take(event: ChatEvent): boolean {
    if (event.seq <= this.log.length) {
      if (!isDeepStrictEqual(this.log[event.seq - 1], event)) {
        this.problems.push(`I3: seq ${event.seq} was sent with two contents`);
      }
      return false;
    }
    if (event.seq > this.log.length + 1) {
      this.problems.push(`I3: after seq ${this.log.length} came ${event.seq}`);
    }
    this.log.push(event);
    this.#follow(event);
    return true;
  }

  #follow(event: ChatEvent): void {
    switch (event.type) {
      case "user_message":
        this.#turns++;
        break;
      case "turn_end":
        this.#turns--;
        break;
      case "tool_call":
        this.#running.add(event.payload.toolCallId);
        break;
      case "tool_result":
        this.#running.delete(event.payload.toolCallId);
        break;
      case "interaction_request":
        this.open.set(event.payload.interactionId, event);
        break;
      case "interaction_pending":
        if (event.payload.queued || event.payload.orphaned) {
          this.detached.add(event.payload.interactionId);
        }
        break;
      case "interaction_response":
      case "interaction_closed":
        this.open.delete(event.payload.interactionId);
        break;
      default:
    }
  }
}
