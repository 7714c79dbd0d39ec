import { type NodeRow, PRESENT, type PresenceRow, type Store } from "../../../core/ports.ts";
import type { Database, SqlRow } from "../database.ts";
import { fromRow } from "../rows.ts";

const NODES = "SELECT * FROM nodes";
const NODE = "SELECT * FROM nodes WHERE id = ?";
const JOIN = /* sql */ `INSERT INTO nodes
  (id, name, host, version, public_key, started_at, seen_at) VALUES (?, ?, ?, ?, ?, ?, ?)`;
const SEEN = "UPDATE nodes SET seen_at = ? WHERE id = ?";
const FORGET = "DELETE FROM nodes WHERE id = ?";
const FORGET_PRESENCE = /* sql */ `DELETE FROM presence
  WHERE until <= ? OR (until = ? AND node_id NOT IN (SELECT id FROM nodes))`;
const PRESENCE = "SELECT * FROM presence ORDER BY node_id, principal_id";
const RELEASE = "UPDATE runs SET lease_until = ? WHERE owner = ? AND status = 'live'";
const RELEASE_RESTING = /* sql */ `UPDATE runs SET lease_until = ?
  WHERE owner = ? AND status = 'suspended' AND lease_until IS NOT NULL`;

/**
 * The processes that share the database. Where there is only one, when it was seen last is known
 * here and not on disk: nobody else would ask, and an idle server has nothing to write.
 */
export class Nodes {
  readonly #database: Database;
  readonly #seenAt = new Map<string, number>();

  constructor(database: Database) {
    this.#database = database;
  }

  seen(id: string, now: number): void {
    if (!this.#seenAt.has(id)) return;
    this.#seenAt.set(id, now);
    if (this.#seenAt.size > 1) this.#database.run(SEEN, now, id);
  }

  join(node: Parameters<Store["join"]>[0], forgetMs: number, now: number): void {
    for (const { id, seenAt } of this.all()) {
      if (seenAt <= now - forgetMs) this.#forget(id);
    }
    const { id, name, host, version, publicKey } = node;
    this.#database.run(JOIN, id, name, host, version, publicKey, now, now);
    this.#seenAt.set(id, now);
    this.#database.run(FORGET_PRESENCE, now, PRESENT);
  }

  leave(id: string, now: number): void {
    this.#forget(id);
    this.#database.run(RELEASE, now, id);
    this.#database.run(RELEASE_RESTING, now, id);
  }

  all(): NodeRow[] {
    const nodes = this.#database.all(NODES).map((row) => this.#toNode(row));
    return nodes.sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1));
  }

  find(id: string): NodeRow | null {
    const row = this.#database.get(NODE, id);
    return row ? this.#toNode(row) : null;
  }

  presence(): (PresenceRow & { nodeSeenAt: number | null })[] {
    const seenAt = new Map(this.all().map((node) => [node.id, node.seenAt]));
    return this.#database.all(PRESENCE).map((row) => {
      const present = fromRow("presence", row);
      return Object.assign(present, { nodeSeenAt: seenAt.get(present.nodeId) ?? null });
    });
  }

  #forget(id: string): void {
    this.#database.run(FORGET, id);
    this.#seenAt.delete(id);
  }

  #toNode(row: SqlRow): NodeRow {
    const id = String(row["id"]);
    return {
      id,
      name: String(row["name"]),
      host: String(row["host"]),
      version: String(row["version"]),
      publicKey: String(row["public_key"]),
      startedAt: Number(row["started_at"]),
      seenAt: this.#seenAt.get(id) ?? Number(row["seen_at"]),
    };
  }
}
