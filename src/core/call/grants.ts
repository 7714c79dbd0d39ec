import { type ApprovalScope, type GrantRecord, ProtocolError } from "../../protocol/index.ts";
import { pathOf, scopeOf } from "./call-path.ts";
import { isJournaled, journalWrite, nameFor, valueOf } from "./journal.ts";
import type { LiveRun } from "../run/live-run.ts";
import { oneAtATime, type KeyedQueue } from "../live/keyed-queue.ts";
import type { LiveCall } from "./live-call.ts";
import type { GrantRow, InteractionRow, Write, Who } from "../ports.ts";
import { type ListPorts, readList } from "../live/read-list.ts";
import { type Approvals, ToolError } from "./tool.ts";
import type { CorePorts } from "../api.ts";

export interface ApprovalPorts extends Pick<CorePorts, "clock" | "ids" | "scope" | "store"> {
  /** Where those wait who use the same remembered approval. */
  granting: KeyedQueue;
}

const WIDTH: Record<ApprovalScope, number> = { once: 1, session: 2, always: 3 };

/** The remembered approvals of one tool, as one of its calls may use them. */
export function createApprovals(ports: ApprovalPorts, run: LiveRun, call: LiveCall): Approvals {
  const { sessionId, tool } = call.row;

  /** Whose approvals are meant: of this session, or of another one of the same owner. */
  async function sessionOf(asked: string | undefined): Promise<string> {
    if (asked === undefined || asked === sessionId) return sessionId;
    const [own, other] = await Promise.all([
      ports.store.session(sessionId),
      ports.store.session(asked),
    ]);
    if (other && other.deletedAt === null && other.ownerId === own?.ownerId) return other.id;
    throw new ToolError(
      "grant_refused",
      "A tool may use the approvals of sessions of the same owner only.",
    );
  }

  /** Names a key in the journal: as it is for the call's own session. */
  function keyIn(of: string, key: string): string {
    return of === sessionId ? key : `${of}/${key}`;
  }

  function remember(name: string, grant: GrantRow | undefined): Write[] {
    const entry = { value: grant?.scope ?? null };
    return [
      ...(isJournaled(call) ? [journalWrite(call, name, "grant", entry)] : []),
      // Guards against a revocation at this moment, whatever the scope.
      ...(grant ? [use(grant)] : []),
    ];
  }

  return {
    async get(key, asked) {
      const path = pathOf(ports, call);
      const of = await sessionOf(asked);
      const name = nameFor(call, path, "grant", keyIn(of, key));
      const before = call.journal.get(name);
      let found = before ? (valueOf(before) as ApprovalScope | null) : null;
      if (!before && call.claimed?.has(keyIn(of, key))) return "once";
      if (!before) {
        const look = async () => {
          const grant = await widestGrant(ports, call, key, of);
          found = grant?.scope ?? null;
          return { sessionId, writes: remember(name, grant), events: [] };
        };
        const queueKey = grantQueueKey(call, key);
        await oneAtATime(ports.granting, queueKey, run.gone, () => run.commit(look));
      }
      if (found === "once") (call.claimed ??= new Set()).add(keyIn(of, key));
      return found;
    },

    async set(key, scope, asked) {
      if (asked !== undefined && asked !== sessionId) {
        throw new ToolError("grant_refused", "A person approves for the session that asks only.");
      }
      const answering = scopeOf(ports, call)?.answering;
      const chosen = answering ? chosenScope(answering) : undefined;
      if (!answering || !chosen) {
        throw new ToolError(
          "grant_refused",
          "approvals.set works only inside onResponse of an approval.",
        );
      }
      if (WIDTH[scope] === undefined || WIDTH[scope] > WIDTH[chosen]) {
        throw new ToolError(
          "grant_refused",
          `The person approved for "${chosen}", not for "${scope}".`,
        );
      }
      const name = nameFor(call, pathOf(ports, call), "grant-set", key);
      if (call.journal.has(name)) return;
      const grant = newGrant(ports, call, key, scope, answering);
      await run.commit(() => ({
        sessionId,
        writes: [
          { table: "grants", id: grant.id, ifVersion: 0, set: grant },
          ...(isJournaled(call) ? [journalWrite(call, name, "grant", { value: grant.id })] : []),
        ],
        events: [],
      }));
    },

    async clearSession(asked) {
      const path = pathOf(ports, call);
      const of = await sessionOf(asked);
      const name = nameFor(call, path, "grant-clear", keyIn(of, ""));
      if (call.journal.has(name)) return;
      await run.commit(async () => {
        const rows = await ports.store.grants({ tool, sessionId: of });
        const mine = rows.filter((grant) => grant.sessionId === of);
        return {
          sessionId,
          writes: [
            ...mine.map((grant) => revocation(grant, ports.clock.now(), `tool:${tool}`)),
            ...(isJournaled(call) ? [journalWrite(call, name, "grant", { value: null })] : []),
          ],
          events: [],
        };
      });
    },
  };
}

/** Where those wait who use the same remembered approval: each use changes its row. */
export function grantQueueKey({ row }: LiveCall, key: string): string {
  return `${row.tool}/${key}`;
}

/** The widest usable approval that the call's tool has for `key` in its session. */
export async function widestGrant(
  ports: Pick<CorePorts, "store">,
  { row }: LiveCall,
  key: string,
  sessionId = row.sessionId,
): Promise<GrantRow | undefined> {
  const rows = await ports.store.grants({ tool: row.tool, key, sessionId });
  return rows.sort((a, b) => WIDTH[b.scope] - WIDTH[a.scope])[0];
}

/** How far the person's approval reaches; nothing if it was none. */
function chosenScope(row: InteractionRow): ApprovalScope | undefined {
  if (row.type !== "approval" || row.response?.action !== "approve") return undefined;
  return row.response.approvalScope ?? "once";
}

export function use(grant: GrantRow): Write {
  const set = { uses: grant.uses + 1 };
  return { table: "grants", id: grant.id, ifVersion: grant.version, set };
}

export function revocation(grant: GrantRow, revokedAt: number, revokedBy: string): Write {
  const set = { revokedAt, revokedBy };
  return { table: "grants", id: grant.id, ifVersion: grant.version, set };
}

export function newGrant(
  ports: Pick<CorePorts, "clock" | "ids">,
  call: LiveCall,
  key: string,
  scope: ApprovalScope,
  interaction: InteractionRow,
): GrantRow {
  return {
    id: ports.ids.next(),
    tool: call.row.tool,
    key,
    scope,
    sessionId: scope === "always" ? null : call.row.sessionId,
    grantedBy: interaction.response?.responder.id ?? "",
    interactionId: interaction.id,
    createdAt: ports.clock.now(),
    expiresAt: null,
    maxUses: scope === "once" ? 1 : null,
    uses: 0,
    revokedAt: null,
    revokedBy: null,
    version: 1,
  };
}

/** What is remembered, with the names of those who allowed it. */
export async function listGrants(
  ports: ListPorts & Pick<CorePorts, "store">,
  who: Who,
  query: { cursor?: string; limit: number },
): Promise<{ grants: GrantRecord[]; next?: string }> {
  const { rows, next } = await readList(ports, who, query, (page) => ports.store.grantPage(page));
  const ids = [...new Set(rows.map(({ grantedBy }) => grantedBy))];
  const people = await Promise.all(ids.map((id) => ports.store.principal(id)));
  const names = new Map(people.map((person) => [person?.id, person?.name]));
  const grants = rows.map((row) => toGrantRecord(row, names.get(row.grantedBy)));
  return { grants, ...(next === undefined ? {} : { next }) };
}

function toGrantRecord(row: GrantRow, byName: string | undefined): GrantRecord {
  return {
    id: row.id,
    toolName: row.tool,
    key: row.key,
    scope: row.scope,
    ...(row.sessionId === null ? {} : { sessionId: row.sessionId }),
    by: row.grantedBy,
    ...(byName === undefined ? {} : { byName }),
    createdAt: new Date(row.createdAt).toISOString(),
    ...(row.expiresAt === null ? {} : { expiresAt: new Date(row.expiresAt).toISOString() }),
  };
}

export function grantNotFound(): ProtocolError {
  return new ProtocolError(
    "not_found",
    "There is no such grant; it may have been revoked already.",
  );
}
