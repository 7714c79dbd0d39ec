import { setTimeout as pause } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import type { ClusterNode } from "./cluster-node.ts";

export const FAULTS = [
  "kill",
  "stop",
  "shutDown",
  "restartPostgres",
  "cut",
  "cutDatabase",
] as const;
export type Fault = (typeof FAULTS)[number];
export const isFault = (name: string): name is Fault => FAULTS.some((one) => one === name);

export interface Takeover {
  fault: Fault;
  /** How many runs the node had. */
  runs: number;
  seconds: number;
}

const LOOK_MS = 100;
/** A node that is stopped for longer than this must lose its runs. */
const LOST_AFTER_MS = 22_000;
/** So that a third of those who are stopped lose them. */
const STOPS_MS = [30_000, 20_000, 10_000];

/** Does to a cluster what happens to clusters, and measures how soon the others take over. */
export class Faults {
  readonly takeovers: Takeover[] = [];
  readonly counts = new Map<Fault, number>();
  readonly #cluster: Cluster;
  readonly #hurt = new Set<ClusterNode>();
  readonly #below: (limit: number) => number;
  #restarting = false;
  readonly #running = new Set<Promise<void>>();
  readonly #stopsMs: readonly number[];

  constructor(cluster: Cluster, below: (limit: number) => number, stopsMs = STOPS_MS) {
    this.#stopsMs = stopsMs;
    this.#cluster = cluster;
    this.#below = below;
  }

  /** Begins one; it may last, and others may begin meanwhile. One node at least is left alone. */
  begin(fault: Fault): boolean {
    const needsNode = fault === "kill" || fault === "stop" || fault === "shutDown";
    const whole = this.#cluster.nodes.filter((node) => !this.#hurt.has(node));
    if (needsNode && whole.length < 2) return false;
    if (fault === "restartPostgres" && this.#restarting) return false;
    const node = whole[this.#below(whole.length)];
    if (needsNode && node) this.#hurt.add(node);
    this.counts.set(fault, (this.counts.get(fault) ?? 0) + 1);
    const work = this.#run(fault, node).finally(() => {
      this.#running.delete(work);
      if (needsNode && node) this.#hurt.delete(node);
    });
    this.#running.add(work);
    return true;
  }

  /** When all that was begun is over and everything stands again. */
  async untilOver(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #run(fault: Fault, node: ClusterNode | undefined): Promise<void> {
    const { proxy, postgres } = this.#cluster;
    switch (fault) {
      case "kill":
        return node && this.#kill(node);
      case "stop":
        return node && this.#stop(node);
      case "shutDown":
        await node?.shutDown();
        return node?.start();
      case "restartPostgres":
        this.#restarting = true;
        await postgres.stop();
        await pause(this.#below(3_000));
        await postgres.start();
        this.#restarting = false;
        return;
      case "cut":
        proxy.cut(() => this.#below(2) === 0);
        return;
      case "cutDatabase":
        await this.#cluster
          .query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
              WHERE application_name = 'beckon' AND pid <> pg_backend_pid()`,
          )
          .catch(() => {});
    }
  }

  async #kill(node: ClusterNode): Promise<void> {
    const { pid } = node;
    await node.kill();
    const taken = this.#watchTakeover("kill", pid);
    await pause(this.#below(3_000));
    await node.start();
    await taken;
  }

  async #stop(node: ClusterNode): Promise<void> {
    const ms = this.#stopsMs[this.#below(this.#stopsMs.length)] ?? 0;
    node.pause();
    const taken = ms > LOST_AFTER_MS ? this.#watchTakeover("stop", node.pid) : undefined;
    await pause(ms);
    node.resume();
    await taken;
  }

  /** How long it takes until none of a process's runs is its own any more. */
  async #watchTakeover(fault: Fault, pid: number): Promise<void> {
    const since = performance.now();
    let most = 0;
    let isTainted = false;
    for (;;) {
      const count = await this.#cluster.liveRunsOf(pid).catch(() => undefined);
      if (count === undefined) isTainted = true;
      else if (count === 0) break;
      else most = Math.max(most, count);
      await pause(LOOK_MS);
    }
    const seconds = (performance.now() - since) / 1_000;
    // While there is no database nobody can take over anything.
    if (most > 0 && !isTainted) this.takeovers.push({ fault, runs: most, seconds });
  }
}
