import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Proxy } from "../../examples/cluster/proxy.js";
import type { Kept } from "../crash/evidence.ts";
import type { Address } from "../crash/http.ts";
import { type PostgresServer, startPostgres } from "../support/postgres/server.ts";
import { ClusterNode } from "./cluster-node.ts";
import { keptInPostgres, type Query, queryOf } from "./evidence.ts";

/** Several real servers on a real PostgreSQL, behind a proxy. */
export class Cluster {
  readonly directory = mkdtempSync(join(tmpdir(), "beckon-cluster-"));
  readonly proxy = new Proxy();
  readonly nodes: ClusterNode[] = [];
  readonly postgres: PostgresServer;
  readonly kept: Kept;
  readonly query: Query;
  /** Where clients find it, whichever nodes are there. */
  address: Address = { url: "", token: "" };

  private constructor(postgres: PostgresServer, storeUrl: string) {
    this.postgres = postgres;
    this.kept = keptInPostgres(this.directory, storeUrl);
    this.query = queryOf(storeUrl);
  }

  static async start(count = 3): Promise<Cluster> {
    const postgres = await startPostgres();
    await queryOf(`${postgres.url}/postgres`)("CREATE DATABASE beckon");
    const store = `${postgres.url}/beckon`;
    const cluster = new Cluster(postgres, store);
    writeFileSync(join(cluster.directory, "effects"), "");
    const url = await cluster.proxy.listen();
    cluster.address.url = url;
    for (let number = 1; number <= count; number++) {
      const { directory } = cluster;
      const options = { directory, name: `node-${number}`, store, host: new URL(url).host };
      cluster.nodes.push(
        new ClusterNode(options, {
          listening: (name, { url: at, token }) => {
            cluster.address.token ||= token;
            cluster.proxy.add(name, at);
          },
          gone: (name) => cluster.proxy.remove(name),
        }),
      );
    }
    await Promise.all(cluster.nodes.map((node) => node.start()));
    return cluster;
  }

  /** Runs that a process executes by what the store says. */
  async liveRunsOf(pid: number): Promise<number> {
    const sql = `SELECT count(*)::int AS count FROM beckon.runs
      WHERE status = 'live' AND split_part(owner, ':', 2) = $1`;
    return (await this.query(sql, [String(pid)]))[0]?.["count"] as number;
  }

  get effects(): string {
    return readFileSync(join(this.directory, "effects"), "utf8");
  }

  async close(): Promise<void> {
    for (const node of this.nodes) node.resume();
    await Promise.all(this.nodes.map((node) => node.shutDown()));
    await this.proxy.close();
    await this.postgres.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}
