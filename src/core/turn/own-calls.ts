import { callDigest } from "../call/calls.ts";
import type { CorePorts } from "../api.ts";
import type { CallEnd } from "../call/tool.ts";
import type { NativeUse } from "./native-call.ts";

/*
 * An agent's runtime may call our tools. It tells of such a call as of any other, and its process
 * makes it, by MCP: in either order, and some runtimes give its id only once. Both halves are one
 * call of the turn, known by the runtime's id or, where one half has none, by what it does.
 */

/** How a call of the turn is stored, executed and ended from outside. */
export interface OwnCallActions<Begun> {
  begin(use: { nativeId?: string; toolName: string; input: unknown }): Promise<Begun>;
  execute(begun: Promise<Begun>): Promise<CallEnd>;
}

interface Entry<Begun> {
  nativeId: string | undefined;
  /** Under which id the runtime has told of it. */
  toldAs?: string;
  digest: string;
  begun: Promise<Begun>;
  /** The process has made it; with what it came to. */
  made?: Promise<CallEnd>;
  /** The runtime has told of its end. */
  isOver: boolean;
}

export class OwnCalls<Begun> {
  readonly #ports: Pick<CorePorts, "ids">;
  readonly #actions: OwnCallActions<Begun>;
  readonly #entries: Entry<Begun>[] = [];

  constructor(ports: Pick<CorePorts, "ids">, actions: OwnCallActions<Begun>) {
    this.#ports = ports;
    this.#actions = actions;
  }

  /** The runtime tells of a call. The same id again is the same call until its end was told. */
  told({ nativeId, isMadeUp = false, toolName, input }: NativeUse): {
    begun: Promise<Begun>;
    made: () => Promise<CallEnd> | undefined;
    over: () => void;
  } {
    const digest = callDigest(this.#ports, toolName, input);
    const entry =
      this.#entries.find(({ toldAs }) => toldAs === nativeId) ??
      this.#find(digest, isMadeUp ? undefined : nativeId, ({ toldAs }) => toldAs === undefined) ??
      this.#add(isMadeUp ? { toolName, input } : { nativeId, toolName, input }, digest);
    entry.toldAs = nativeId;
    entry.nativeId ??= isMadeUp ? undefined : nativeId;
    return {
      begun: entry.begun,
      made: () => entry.made,
      over: () => {
        if (!entry.isOver) this.#entries.splice(this.#entries.indexOf(entry), 1);
        entry.isOver = true;
      },
    };
  }

  /** The runtime's process makes a call. */
  make(use: { nativeId?: string; toolName: string; input: unknown }): Promise<CallEnd> {
    const digest = callDigest(this.#ports, use.toolName, use.input);
    const entry =
      this.#find(digest, use.nativeId, ({ made }) => made === undefined) ?? this.#add(use, digest);
    entry.made = this.#actions.execute(entry.begun);
    return entry.made;
  }

  #find(
    digest: string,
    nativeId: string | undefined,
    isHalf: (entry: Entry<Begun>) => boolean,
  ): Entry<Begun> | undefined {
    return this.#entries.find(
      (one) =>
        !one.isOver &&
        isHalf(one) &&
        one.digest === digest &&
        (nativeId === undefined || one.nativeId === undefined || one.nativeId === nativeId),
    );
  }

  #add(use: { nativeId?: string; toolName: string; input: unknown }, digest: string): Entry<Begun> {
    const begun = this.#actions.begin(use);
    // Whoever waits for it is told; until then nobody may.
    begun.catch(() => {});
    const entry = { nativeId: use.nativeId, digest, begun, isOver: false };
    this.#entries.push(entry);
    return entry;
  }
}
