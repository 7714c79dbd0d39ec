import { once } from "node:events";
import { connect, createServer } from "node:net";

const LOOK_MS = 250;
const PATIENCE_MS = 1_500;
/** A node that is only busy is not taken for one that is gone. */
const TRIES = 2;

/**
 * A small proxy for TCP: each connection goes to the next node that answers `GET /api/health`. When
 * a node does not answer any more, its connections are cut, so that their clients come back to
 * another one.
 */
export class Proxy {
  /** Addresses that are looked at. @type {Map<string, { url: string, failures: number }>} */
  #nodes = new Map();
  /** @type {Set<{ node: string, client: import("node:net").Socket }>} */
  #lines = new Set();
  #turn = 0;
  #closed = false;
  #server = createServer((client) => this.#carry(client));

  /** @param {string} [host] @param {number} [port] 0 picks a free one */
  async listen(host = "127.0.0.1", port = 0) {
    this.#server.listen(port, host);
    await once(this.#server, "listening");
    void this.#keepLooking();
    return this.url;
  }

  get url() {
    const address = /** @type {import("node:net").AddressInfo} */ (this.#server.address());
    return `http://127.0.0.1:${address.port}`;
  }

  /** A node by its name, at the address that it has now. @param {string} name @param {string} url */
  add(name, url) {
    this.#nodes.set(name, { url, failures: 0 });
  }

  /** @param {string} name */
  remove(name) {
    this.#nodes.delete(name);
    this.cut((line) => line.node === name);
  }

  /** Cuts connections; all of them without a choice. @param {(line: { node: string }) => boolean} [which] */
  cut(which = () => true) {
    const chosen = [...this.#lines].filter(which);
    for (const { client } of chosen) client.destroy();
    return chosen.length;
  }

  /** Who answers now. */
  get well() {
    return [...this.#nodes].flatMap(([name, { failures }]) => (failures < TRIES ? [name] : []));
  }

  async close() {
    this.#closed = true;
    this.cut();
    this.#server.close();
    await once(this.#server, "close");
  }

  /** @param {import("node:net").Socket} client */
  #carry(client) {
    client.on("error", () => {});
    const names = this.well;
    const name = names[this.#turn++ % names.length];
    const node = name === undefined ? undefined : this.#nodes.get(name);
    if (name === undefined || !node) return client.destroy();
    const { hostname, port } = new URL(node.url);
    const upstream = connect(Number(port), hostname);
    const line = { node: name, client };
    this.#lines.add(line);
    upstream.on("error", () => client.destroy());
    upstream.on("close", () => client.destroy());
    client.on("close", () => {
      upstream.destroy();
      this.#lines.delete(line);
    });
    client.pipe(upstream).pipe(client);
  }

  async #keepLooking() {
    while (!this.#closed) {
      await Promise.all([...this.#nodes.keys()].map((name) => this.#look(name)));
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS).unref());
    }
  }

  /** @param {string} name */
  async #look(name) {
    const node = this.#nodes.get(name);
    if (!node) return;
    const isWell = await fetch(`${node.url}/api/health`, {
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).then(
      (response) => response.ok,
      () => false,
    );
    if (this.#nodes.get(name) !== node) return;
    node.failures = isWell ? 0 : node.failures + 1;
    if (node.failures === TRIES) this.cut((line) => line.node === name);
  }
}
