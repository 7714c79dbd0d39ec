import { connectDirectly } from "./entrances.ts";
import type { Client } from "../scenarios/client.ts";
import type { World } from "../scenarios/world.ts";

/** One caller at every entrance: what it does there, and what came back in a word or two. */
export class QuotaCaller {
  readonly world: World;
  readonly token: string;

  constructor(world: World, token: string) {
    this.world = world;
    this.token = token;
  }

  /** A caller with a budget of its own. */
  static async of(world: World, kind: "person" | "machine" | "bound"): Promise<QuotaCaller> {
    if (kind === "person") {
      const holder = { kind, name: "somebody" };
      const { token } = await world.credentials.createToken({ holder });
      return new QuotaCaller(world, token);
    }
    const sessionId = kind === "bound" ? (await world.session()).id : undefined;
    return new QuotaCaller(world, await world.machine(sessionId));
  }

  async http(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const authorization = `Bearer ${this.token}`;
    return this.world.http(method, path, body, { authorization, ...headers });
  }

  /** The same in process, without a socket. */
  async fetch(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        "content-type": "application/json",
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const response = await this.world.node.fetch(request);
    return { status: response.status, body: await response.json(), headers: response.headers };
  }

  socket(hello = {}): Promise<Client> {
    return this.world.connect(this.token, hello);
  }

  direct(hello = {}): Promise<Client> {
    return connectDirectly(this.world, this.token, hello);
  }

  async session(): Promise<string> {
    const { body } = await this.http("POST", "/api/sessions", {});
    return body.id as string;
  }
}
