import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Api, Outage } from "../unkillable/api.js";
import { gatherFacts } from "../unkillable/facts.js";
import { createPersonToken } from "../unkillable/person-token.js";
import { judge } from "../unkillable/report.js";
import { tell } from "../unkillable/say.js";
import { Story } from "../unkillable/story.js";
import { Node } from "./node.js";
import { startPostgres } from "./postgres.js";
import { Proxy } from "./proxy.js";

const NAMES = ["node-1", "node-2", "node-3"];

/**
 * Three nodes on one PostgreSQL behind a proxy, an agent that makes a release and asks, nodes that are
 * killed meanwhile, and at last an update of them all, one after the other.
 */
export class Demo {
  #options;
  #place;
  #proxy = new Proxy();
  /** @type {Node[]} */
  #nodes = [];
  /** @type {Awaited<ReturnType<typeof startPostgres>> | undefined} */
  #postgres;
  #done = new AbortController();
  kills = 0;
  updates = 0;
  onKill = () => {};
  /** What was typed as a secret: it must be found nowhere. @type {string[]} */
  secrets = [];

  /** @param {{ data: string, everyMs: number, kills: number, workMs: number, aloud: boolean }} options */
  constructor(options) {
    this.#options = options;
    const { data } = options;
    const folder = join(data, "release");
    this.#place = {
      data,
      folder,
      running: join(data, "running.json"),
      lives: join(data, "lives.txt"),
      log: join(data, "servers.log"),
      effects: join(folder, "effects.jsonl"),
      begun: join(folder, "begun.txt"),
    };
  }

  /**
   * @param {(demo: { connect: (name: string) => Promise<Api>, sessionId: string }) =>
   *   Promise<import("../unkillable/window.js").Window[]>} openWindows
   */
  async run(openWindows) {
    const { data } = this.#options;
    mkdirSync(data, { recursive: true });
    this.#postgres = await startPostgres(join(data, "postgres"));
    const url = await this.#proxy.listen();
    const { lives, log, folder: effects } = this.#place;
    for (const name of NAMES) {
      const node = new Node({
        ...{ name, data: join(data, name), store: this.#postgres.url, lives, log, effects },
        host: new URL(url).host,
        onListening: (who, at) => this.#proxy.add(who, at),
        onGone: (who) => this.#proxy.remove(who),
      });
      this.#nodes.push(node);
    }
    await Promise.all(this.#nodes.map((node) => node.start()));
    this.#say("proxy", `${NAMES.length} nodes behind ${url}, on ${hostOf(this.#postgres.url)}`);

    // The token of any node is good at all.
    const token = readFileSync(join(data, "node-1", "token"), "utf8").trim();
    const owner = new Api(url, token);
    const made = await owner.insist("POST", "/api/sessions", { title: "A release on three nodes" });
    const sessionId = made.body.id;
    const connect = async (/** @type {string} */ name) => new Api(url, await this.#tokenOf(name));
    const windows = await openWindows({ connect, sessionId });
    const story = new Story({ aloud: this.#options.aloud });
    const followers = [
      story.run(owner, sessionId, this.#done.signal),
      ...windows.map((window) => window.run(this.#done.signal)),
    ];
    const killing = this.#kill();
    await Promise.race([
      this.#release(owner, sessionId, story),
      killing.then(() => new Promise(() => {})),
    ]);
    this.#done.abort();
    await Promise.all([killing, ...followers]);
    return [...judge(await this.#gather(owner, sessionId)), this.#judgeUpdates()];
  }

  /** Ends what was started. */
  async stop() {
    this.#done.abort();
    await Promise.all(this.#nodes.map((node) => node.stop()));
    await this.#proxy.close();
    await this.#postgres?.stop();
    this.#nodes = [];
    this.#postgres = undefined;
  }

  /** @param {Api} api @param {string} sessionId @param {Story} story */
  async #release(api, sessionId, story) {
    const isEnough = () => this.kills >= this.#options.kills && this.updates > 0;
    for (let number = 0; number === 0 || !isEnough(); number++) {
      const input = { version: `1.4.${number}`, workMs: this.#options.workMs };
      const message = {
        content: `/call release_run ${JSON.stringify(input)}`,
        messageId: `release-${number}`,
      };
      const path = `/api/sessions/${sessionId}/messages`;
      const { status, body } = await api.insist("POST", path, message);
      if (status !== 202) throw new Error(`The agent did not take the message: ${body.error}`);
      await story.turnOf(message.messageId);
    }
  }

  /** One node after the other, never the same twice in a row; then all of them, in order. */
  async #kill() {
    const { everyMs, kills } = this.#options;
    const over = this.#done.signal;
    try {
      for (let turn = 0; this.kills < (kills || Infinity); turn++) {
        await delay(everyMs * (0.75 + Math.random() / 2), undefined, { signal: over });
        const node = this.#nodes[turn % this.#nodes.length];
        if (!node) return;
        await node.kill();
        this.kills++;
        this.#say("KILLED", `${node.name}, number ${this.kills}`, "red");
        this.onKill();
        await node.start();
        if (kills === 0 && this.kills % NAMES.length === 0) await this.#update();
      }
      while (!over.aborted && this.updates === 0) await this.#update();
    } catch (error) {
      if (!over.aborted) throw error;
    }
  }

  /** A rolling update: each is ended and started again, and the others go on. */
  async #update() {
    for (const node of this.#nodes) {
      this.#say("UPDATE", `${node.name} is ended and started again`, "yellow");
      await node.stop();
      await node.start();
    }
    this.updates++;
  }

  /** @param {Api} api @param {string} sessionId */
  async #gather(api, sessionId) {
    const wanted = { sessionId, secrets: this.secrets, wantedKills: this.#options.kills };
    for (;;) {
      try {
        return await gatherFacts(api, this.#place, wanted);
      } catch (error) {
        if (!(error instanceof Outage)) throw error;
        await delay(100);
      }
    }
  }

  /** @returns {import("../unkillable/report.js").Row} */
  #judgeUpdates() {
    return {
      label: "rolling updates",
      value: String(this.updates),
      note: `of all ${NAMES.length} nodes, one after the other, while it asked`,
      ok: this.#options.kills === 0 || this.updates > 0,
    };
  }

  /** @param {string} name */
  async #tokenOf(name) {
    const store = this.#postgres?.url ?? "";
    return createPersonToken(join(this.#options.data, "node-1"), name, { BECKON_STORE: store });
  }

  /**
   * @param {string} who
   * @param {string} what
   * @param {Parameters<typeof tell>[2]} [style]
   */
  #say(who, what, style) {
    if (this.#options.aloud) tell(who, what, style);
  }
}

/** @param {string} url */
function hostOf(url) {
  return `PostgreSQL at ${new URL(url).host}`;
}
