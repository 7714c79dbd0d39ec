import { type Bus, type Clock, type Core, type Log, payerOf, type Who } from "../core/index.ts";
import type { Credentials } from "./credentials.ts";

/** Something that stays connected: a socket's connection or an SSE stream. */
export interface LiveClient {
  tokenId: string;
  end(why: "credential_ended" | "going_away"): void;
}

interface ClientPorts {
  core: Pick<Core, "quotas">;
  credentials: Credentials;
  clock: Clock;
  log: Log;
}

const RECHECK_MS = 500;

/**
 * Everybody who is connected. Their credentials are looked at again twice a second, so that a
 * revoked token has no power left, also when another process revoked it.
 */
export class Clients {
  readonly #clients = new Set<LiveClient>();
  #isClosing = false;
  readonly #ports: ClientPorts;
  #disarm: (() => void) | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(ports: ClientPorts & { bus?: Bus }) {
    this.#ports = ports;
    this.#unsubscribe = ports.bus?.subscribe((message) => {
      if (message.type === "credential") void this.#recheck([message.tokenId]);
    });
  }

  get size(): number {
    return this.#clients.size;
  }

  /** The returned function takes the client out again. */
  add(client: LiveClient): () => void {
    if (this.#isClosing) {
      client.end("going_away");
      return () => {};
    }
    this.#clients.add(client);
    this.#arm();
    return () => {
      this.#clients.delete(client);
    };
  }

  /** Counts one more connection of a caller until the returned function is called, or throws `too_many`. */
  hold(who: Who): () => void {
    return this.#ports.core.quotas.hold(payerOf(who), "sockets");
  }

  closeAll(): void {
    this.#isClosing = true;
    this.#disarm?.();
    this.#unsubscribe?.();
    for (const client of this.#clients) client.end("going_away");
    this.#clients.clear();
  }

  #arm(): void {
    this.#disarm ??= this.#ports.clock.timer(RECHECK_MS, () => void this.#tick());
  }

  async #tick(): Promise<void> {
    await this.#recheck(new Set([...this.#clients].map((client) => client.tokenId)));
    this.#disarm = undefined;
    if (this.#clients.size > 0 && !this.#isClosing) this.#arm();
  }

  async #recheck(tokenIds: Iterable<string>): Promise<void> {
    for (const tokenId of tokenIds) {
      try {
        if (await this.#ports.credentials.isCurrent(tokenId)) continue;
      } catch (error) {
        // A store that is away for a moment is no reason to send everybody out.
        this.#ports.log.warn({ error }, "credentials could not be checked again");
        return;
      }
      for (const client of this.#clients) {
        if (client.tokenId !== tokenId) continue;
        this.#clients.delete(client);
        client.end("credential_ended");
      }
    }
  }
}
