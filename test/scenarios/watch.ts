import type { Client, Frame } from "./client.ts";
import type { World } from "./world.ts";

/** A person at every node who is told of each prompt, whatever session it is in. */
export class Watch {
  readonly #clients: Client[];
  readonly #seen = new Set<string>();

  private constructor(clients: Client[]) {
    this.#clients = clients;
  }

  static async start(world: World): Promise<Watch> {
    // A hint from one node to the other may be lost; each tells its own clients.
    const each = Array.from({ length: world.nodeCount }, () => world.person());
    return Watch.by(await Promise.all(each));
  }

  static async by(clients: Client[]): Promise<Watch> {
    for (const client of clients) await client.ask({ type: "subscribe", inbox: true });
    return new Watch(clients);
  }

  /** The next prompt that was not given yet, now or when it comes. */
  async prompt(): Promise<any> {
    const isNew = ({ type, interaction }: Frame) =>
      type === "interaction_updated" &&
      interaction.status === "pending" &&
      !this.#seen.has(interaction.id);
    const { interaction } = await Promise.race(this.#clients.map((one) => one.until(isNew)));
    this.#seen.add(interaction.id);
    return interaction;
  }
}
