import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Duplex } from "node:stream";

/**
 * The network of one window: a proxy that leads to the server and nowhere else. So nothing of a
 * test leaves the machine, what interception of requests lets through is recorded, and a cut ends
 * open WebSockets too, as a lost network does.
 */
export class Network {
  /** Where else something wanted to go. */
  readonly outside: string[] = [];
  readonly #proxy: Server;
  readonly #origin: URL;
  readonly #lines = new Set<Duplex>();
  #isCut = false;
  #isDeaf = false;

  private constructor(origin: URL) {
    this.#origin = origin;
    this.#proxy = createServer((incoming, answer) => this.#forward(incoming, answer));
    this.#proxy.on("connection", (line) => {
      if (this.#isCut) line.destroy();
      else this.#keep(line);
    });
    // WebSockets come as tunnels.
    this.#proxy.on("connect", (incoming, line) => this.#tunnel(incoming, line));
  }

  static async open(origin: string): Promise<Network> {
    const network = new Network(new URL(origin));
    network.#proxy.listen(0, "127.0.0.1");
    await once(network.#proxy, "listening");
    return network;
  }

  get proxy(): string {
    return `http://127.0.0.1:${(this.#proxy.address() as AddressInfo).port}`;
  }

  cut(): void {
    this.#isCut = true;
    for (const line of this.#lines) line.destroy();
  }

  /** From now on nothing that the server says over a WebSocket arrives; what is sent to it does. */
  deafen(): void {
    this.#isDeaf = true;
  }

  restore(): void {
    this.#isCut = false;
    this.#isDeaf = false;
  }

  close(): void {
    this.cut();
    this.#proxy.close();
  }

  #forward(incoming: IncomingMessage, answer: ServerResponse): void {
    const { url = "", method, rawHeaders } = incoming;
    const { host, pathname, search } = new URL(url, "http://nowhere.invalid");
    if (host !== this.#origin.host) return this.#refuse(`${method} ${url}`, answer);
    const onward = request(this.#origin, {
      method,
      path: pathname + search,
      headers: headersOf(rawHeaders),
    });
    onward.on("response", (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.rawHeaders);
      reply.on("error", () => answer.destroy());
      reply.pipe(answer);
    });
    onward.on("error", () => answer.destroy());
    answer.on("close", () => onward.destroy());
    incoming.pipe(onward);
  }

  #tunnel(incoming: IncomingMessage, line: Duplex): void {
    if (incoming.url !== this.#origin.host) return this.#refuse(`CONNECT ${incoming.url}`, line);
    const onward = connect(Number(this.#origin.port), this.#origin.hostname, () => {
      line.write("HTTP/1.1 200 OK\r\n\r\n");
      line.pipe(onward);
    });
    onward.on("data", (piece) => {
      if (!this.#isDeaf) line.write(piece);
    });
    onward.on("end", () => line.end());
    this.#keep(onward);
    onward.on("close", () => line.destroy());
    line.on("close", () => onward.destroy());
  }

  #refuse(what: string, line: { destroy(): unknown }): void {
    this.outside.push(what);
    line.destroy();
  }

  #keep(line: Duplex): void {
    this.#lines.add(line);
    line.on("error", () => line.destroy());
    line.on("close", () => this.#lines.delete(line));
  }
}

/** As they came, but for what is meant for the proxy alone. */
function headersOf(raw: string[]): string[] {
  return raw.filter((_text, at) => !/^proxy-/i.test(raw[at - (at % 2)] ?? ""));
}
