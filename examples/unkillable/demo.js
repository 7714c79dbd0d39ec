import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Api, Outage } from "./api.js";
import { gatherFacts } from "./facts.js";
import { createPersonToken } from "./person-token.js";
import { placeIn, readRunning, writeRunning } from "./place.js";
import { judge } from "./report.js";
import { tell } from "./say.js";
import { Server } from "./server.js";
import { Story } from "./story.js";

const KILLER = fileURLToPath(new URL("killer.js", import.meta.url));

/**
 * @typedef {import("./window.js").Window} Window
 * @typedef {import("./server.js").Life} Life
 * @typedef {(name: string) => Promise<Api>} Connect as a person of that name
 * @typedef {{
 *   data: string, every: number | null, kills: number, workMs: number, aloud: boolean,
 * }} Options `every` in milliseconds, or null to kill by the log
 */

/** One demo from the first start of the server to the facts about it. */
export class Demo {
  #options;
  #place;
  #done = new AbortController();
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #killer;
  /** @type {Life | null} */
  #life = null;
  #killedAt = 0;
  #fail = (/** @type {Error} */ _error) => {};
  #failed = new Promise((_resolve, reject) => (this.#fail = reject));
  #server;
  kills = 0;
  onKill = () => {};
  /** What was typed as a secret in this process: it must be found nowhere. @type {string[]} */
  secrets = [];

  /** @param {Options} options */
  constructor(options) {
    this.#options = options;
    this.#place = placeIn(options.data);
    this.#failed.catch(() => {});
    mkdirSync(this.#place.folder, { recursive: true, mode: 0o700 });
    this.#server = new Server({
      ...this.#place,
      port: Number(new URL(readRunning(this.#place)?.url ?? "http://x:0").port),
      onLife: (life) => this.#live(life),
      onFailure: (error) => this.#fail(error),
    });
  }

  /**
   * Releases until there were enough kills. A demo that was interrupted goes on where it was: the
   * log knows its messages by their ids.
   *
   * @param {(demo: { connect: Connect, sessionId: string }) => Promise<Window[]>} openWindows
   */
  async run(openWindows) {
    const url = await this.#server.start();
    const owner = new Api(url, readFileSync(join(this.#options.data, "token"), "utf8").trim());
    const title = { title: "A release that cannot be killed" };
    const sessionId =
      readRunning(this.#place)?.sessionId ??
      (await owner.request("POST", "/api/sessions", title)).body.id;
    writeRunning(this.#place, { url, sessionId, ended: false });
    if (this.#options.aloud) tell("server", `listens on ${url}`);
    const connect = async (/** @type {string} */ name) =>
      new Api(url, await createPersonToken(this.#options.data, name));
    const windows = await openWindows({ connect, sessionId });
    const story = new Story({ aloud: this.#options.aloud });
    const followers = [
      story.run(owner, sessionId, this.#done.signal),
      ...windows.map((window) => window.run(this.#done.signal)),
    ];
    await this.#startKiller(url, sessionId);
    const releasing = this.#release(owner, sessionId, story);
    await Promise.race([releasing, this.#failed, Promise.all(followers).then(() => releasing)]);
    await this.#endKiller();
    this.#done.abort();
    await Promise.all(followers);
    return judge(await this.#gather(owner, sessionId));
  }

  /** Ends what was started. The data stays. */
  async stop() {
    this.#done.abort();
    await this.#endKiller();
    await this.#server.stop();
    const running = readRunning(this.#place);
    if (running) writeRunning(this.#place, { ...running, ended: true });
  }

  /** @param {Api} api @param {string} sessionId @param {Story} story */
  async #release(api, sessionId, story) {
    const { kills, workMs } = this.#options;
    for (let number = 0; number === 0 || this.kills < kills; number++) {
      const version = `1.4.${number}`;
      const content = `/call release_run ${JSON.stringify({ version, workMs })}`;
      const message = { content, messageId: `release-${number}` };
      const { status, body } = await api.insist(
        "POST",
        `/api/sessions/${sessionId}/messages`,
        message,
      );
      if (status !== 202) throw new Error(`The agent did not take the message: ${body.error}`);
      await story.turnOf(message.messageId);
    }
  }

  /** @param {Api} api @param {string} sessionId */
  async #gather(api, sessionId) {
    const wanted = { sessionId, secrets: this.secrets, wantedKills: this.#options.kills };
    for (;;) {
      await api.insist("GET", "/api/health");
      try {
        return await gatherFacts(api, this.#place, wanted);
      } catch (error) {
        // The last kill may have hit a moment ago.
        if (!(error instanceof Outage)) throw error;
      }
    }
  }

  /** @param {string} url @param {string} sessionId */
  async #startKiller(url, sessionId) {
    const { every, data } = this.#options;
    const token = readFileSync(join(data, "token"), "utf8").trim();
    const options = { every, lives: this.#place.lives, url, token, sessionId };
    const killer = fork(KILLER, [JSON.stringify(options)], { detached: true });
    this.#killer = killer;
    await once(killer, "message");
    killer.on("message", () => this.#killed());
    killer.send({ life: this.#life });
  }

  async #endKiller() {
    const killer = this.#killer;
    this.#killer = undefined;
    if (!killer || killer.exitCode !== null) return;
    const ended = once(killer, "exit");
    killer.kill("SIGTERM");
    await ended;
  }

  #killed() {
    this.kills++;
    this.#killedAt = performance.now();
    if (this.#options.aloud) tell("KILLED", `number ${this.kills}`, "red");
    this.onKill();
  }

  /** @param {Life | null} life */
  #live(life) {
    this.#life = life;
    if (this.#killer?.connected) this.#killer.send({ life });
    if (!life?.listening || this.kills === 0 || !this.#options.aloud) return;
    const seconds = (performance.now() - this.#killedAt) / 1_000;
    tell("server", `is back after ${seconds.toFixed(1)} s`);
  }
}
