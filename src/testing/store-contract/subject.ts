import type { NewEvent, SessionRow, Store } from "../../core/ports.ts";
import type { FakeClock } from "../fake-clock.ts";
import { session } from "./rows.ts";
import { insert, write } from "./writes.ts";

interface Chains {
  events: number;
  problems: string[];
}

/** A store under test, with what a test needs to move it about. */
export interface OpenedStore {
  store: Store;
  clock: FakeClock;
  /** Closes the store and opens it again on the same data. */
  reopen?(): Promise<Store>;
  /** What is wrong with the chains of its logs; left out where nobody else can read them. */
  verify?(): Chains | Promise<Chains>;
}

export type Subject = () => OpenedStore;

export async function addSession(
  store: Store,
  id: string,
  set: Partial<SessionRow> = {},
): Promise<void> {
  await write(store, insert("sessions", session(id, set)));
}

export function textEvent(id: string, text = id): NewEvent {
  return { id, type: "text", at: 1_000, payload: { text } };
}
