import { setTimeout as delay } from "node:timers/promises";

/** The server could not be reached, or died while it replied. What was asked may have happened. */
export class Outage extends Error {}

const AGAIN_MS = 100;

/** A server that may be gone at any moment. */
export class Api {
  #url;
  #token;

  /** @param {string} url @param {string} token */
  constructor(url, token) {
    this.#url = url;
    this.#token = token;
  }

  /**
   * One request, one reply.
   *
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @returns {Promise<{ status: number, body: any }>}
   */
  async request(method, path, body) {
    return this.#reach(async () => {
      const response = await this.#fetch(method, path, body);
      const reply = { status: response.status, body: await response.json() };
      if (reply.status === 503) throw new Outage(reply.body.error);
      return reply;
    });
  }

  /**
   * The same request until there is a reply. Only for what may be sent twice: reads, and writes that
   * carry an id of their own.
   *
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @param {{ signal?: AbortSignal, onOutage?: () => void }} [options]
   */
  async insist(method, path, body, { signal, onOutage } = {}) {
    for (;;) {
      signal?.throwIfAborted();
      try {
        return await this.request(method, path, body);
      } catch (error) {
        if (!(error instanceof Outage)) throw error;
        onOutage?.();
      }
      await delay(AGAIN_MS, undefined, { signal });
    }
  }

  /**
   * The events of a stream, until the server ends it or dies.
   *
   * @param {string} path
   * @param {AbortSignal} signal
   * @returns {AsyncGenerator<any>}
   */
  async *stream(path, signal) {
    const response = await this.#reach(() => this.#fetch("GET", path, undefined, signal));
    if (!response.ok || !response.body) throw new Error(`${path} was refused: ${response.status}`);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { done, value } = await this.#reach(() => reader.read());
      if (done) return;
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const data = block.split("\n").find((line) => line.startsWith("data: "));
        if (data) yield JSON.parse(data.slice("data: ".length));
      }
    }
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} body
   * @param {AbortSignal} [signal]
   */
  #fetch(method, path, body, signal) {
    return fetch(this.#url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(signal ? { accept: "text/event-stream" } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  }

  /**
   * `fetch` reports every broken connection as a TypeError with a cause.
   *
   * @template Result
   * @param {() => Promise<Result>} work
   */
  async #reach(work) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof TypeError && error.cause !== undefined) {
        throw new Outage("The server is not there.", { cause: error });
      }
      throw error;
    }
  }
}
