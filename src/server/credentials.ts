import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Bus, Clock, Credential, Ids, Store, TokenRow, Who, Write } from "../core/index.ts";

/** The person that a new server belongs to. */
export const OWNER_ID = "owner";

export const SIGNIN_MS = 60_000;
export const BROWSER_MS = 30 * 24 * 60 * 60 * 1_000;

const LENDER = "process:";

/** Somebody who is known already, or somebody new; with an `id`, the same one each time. */
type Holder = { principalId: string } | { id?: string; kind: "person" | "machine"; name: string };

/** A token as it may be shown: everything but what proves it. */
export interface TokenInfo {
  id: string;
  kind: TokenRow["kind"];
  holder: { id: string; kind: "person" | "machine"; name: string };
  sessionId: string | null;
  createdAt: number;
  expiresAt: number | null;
  usedAt: number | null;
  revokedAt: number | null;
  /** Lent by a server while it runs: it ends with that server's process, if not before. */
  lent: boolean;
}

/** Who may come in. The clear text of a token is returned once, when it is made; only its hash is kept. */
export interface Credentials {
  /** Makes the owner if there is none. Safe to call any number of times, by several processes. */
  ensureOwner(): Promise<void>;
  createToken(wanted: {
    holder: Holder;
    /** Binds a machine's token to one session. */
    sessionId?: string;
    expiresInMs?: number;
    /** Lends it: with this process it ends, however the process dies. */
    lent?: boolean;
  }): Promise<{ id: string; principalId: string; token: string }>;
  /**
   * Null for a token that is unknown, revoked, expired, used up, only good for signing in, or sent
   * in another way than its own: what a browser got is good as a cookie only, others never are.
   */
  authenticate(token: string, by?: "bearer" | "cookie"): Promise<Who | null>;
  /**
   * Good once, for a minute, and only for `exchangeCode`. What comes of a code that was made with
   * a token (`parentId`) ends with that token. @param principalId who signs in; the owner if not given
   */
  createSigninCode(principalId?: string, parentId?: string): Promise<string>;
  /** Uses the code up and gives a browser's token for it; of two who try at once, one gets null. */
  exchangeCode(code: string): Promise<{ token: string; who: Who } | null>;
  /** False if there is no such token. Revoking twice is fine. */
  revokeToken(id: string): Promise<boolean>;
  listTokens(): Promise<TokenInfo[]>;
  /** Whether what was let in with this token may still be here. */
  isCurrent(tokenId: string): Promise<boolean>;
}

export function createCredentials(ports: {
  store: Store;
  ids: Ids;
  clock: Clock;
  bus?: Bus;
}): Credentials {
  const { store, ids, clock, bus } = ports;
  // What is lent has a parent that is stored nowhere: the next process has never heard of it.
  const lender = LENDER + ids.next();

  /** Good itself, and so is each token that it comes from. */
  async function isGood(token: TokenRow): Promise<boolean> {
    if (!isGoodItself(token, clock.now())) return false;
    if (token.parentId === null || token.parentId === lender) return true;
    const parent = await store.credentialById(token.parentId);
    return parent !== null && isGood(parent.token);
  }

  /** What a machine made pays with that machine's budget, also the tokens lent in its sessions. */
  async function budgetOf({ token, principal }: Credential): Promise<string | null> {
    if (principal.kind !== "machine" || token.sessionId === null) return null;
    return (await store.session(token.sessionId))?.budgetId ?? null;
  }

  async function lookUp(text: string): Promise<Credential | null> {
    const hash = ids.digest(text);
    const found = await store.credential(hash);
    return found && sameText(found.token.hash, hash) ? found : null;
  }

  /**
   * What was looked up in this turn of the event loop: of requests that have come together each
   * token is read once. Later ones read again, for another process may have revoked it.
   */
  const inThisTurn = new Map<string, Promise<Credential | null>>();

  function lookUpInTurn(text: string): Promise<Credential | null> {
    const known = inThisTurn.get(text);
    if (known) return known;
    if (inThisTurn.size === 0) void clock.turn().then(() => inThisTurn.clear());
    const found = lookUp(text);
    inThisTurn.set(text, found);
    return found;
  }

  function mint(fields: Pick<TokenRow, "kind" | "principalId"> & Partial<TokenRow>): {
    id: string;
    text: string;
    write: Write;
  } {
    const id = ids.next();
    const text = `bk_${randomBytes(32).toString("base64url")}`;
    const row: Omit<TokenRow, "version"> = {
      id,
      hash: ids.digest(text),
      sessionId: null,
      parentId: null,
      singleUse: false,
      createdAt: clock.now(),
      expiresAt: null,
      usedAt: null,
      revokedAt: null,
      ...fields,
    };
    return { id, text, write: { table: "tokens", id, ifVersion: 0, set: row } };
  }

  function newPrincipal(id: string, kind: "person" | "machine", name: string): Write {
    const set = { id, kind, name, createdAt: clock.now() };
    return { table: "principals", id, ifVersion: 0, set };
  }

  async function save(...writes: Write[]): Promise<boolean> {
    return (await store.commit({ writes, events: [] })).ok;
  }

  return {
    async ensureOwner() {
      if (await store.principal(OWNER_ID)) return;
      await save(newPrincipal(OWNER_ID, "person", "Owner"));
    },

    async createToken({ holder, sessionId, expiresInMs, lent = false }) {
      const known = "principalId" in holder;
      const principalId = known ? holder.principalId : (holder.id ?? ids.next());
      const token = mint({
        kind: "bearer",
        principalId,
        sessionId: sessionId ?? null,
        parentId: lent ? lender : null,
        expiresAt: expiresInMs === undefined ? null : clock.now() + expiresInMs,
      });
      if (known || (holder.id && (await store.principal(holder.id)))) {
        if (await save(token.write)) return { id: token.id, principalId, token: token.text };
        throw new Error("The token could not be stored. Try again.");
      }
      const principal = newPrincipal(principalId, holder.kind, holder.name);
      // Somebody else may have made the same one at this moment.
      const saved =
        (await save(principal, token.write)) || (holder.id && (await save(token.write)));
      if (!saved) throw new Error("The token could not be stored. Try again.");
      return { id: token.id, principalId, token: token.text };
    },

    async authenticate(text, by = "bearer") {
      if (!isToken(text)) return null;
      const found = await lookUpInTurn(text);
      const kind = by === "cookie" ? "browser" : "bearer";
      if (found?.token.kind !== kind || !(await isGood(found.token))) return null;
      const budgetId = await budgetOf(found);
      return { ...toWho(found), ...(budgetId === null ? {} : { budgetId }) };
    },

    async createSigninCode(principalId = OWNER_ID, parentId) {
      const expiresAt = clock.now() + SIGNIN_MS;
      const fields = { kind: "signin", principalId, singleUse: true, expiresAt } as const;
      const code = mint({ ...fields, parentId: parentId ?? null });
      if (!(await save(code.write))) throw new Error("The sign-in code could not be stored.");
      return code.text;
    },

    async exchangeCode(text) {
      if (!isToken(text)) return null;
      const found = await lookUp(text);
      const now = clock.now();
      if (found?.token.kind !== "signin" || !(await isGood(found.token))) return null;
      const expiresAt = now + BROWSER_MS;
      const { id, version, parentId } = found.token;
      const principalId = found.principal.id;
      const browser = mint({ kind: "browser", principalId, parentId, expiresAt });
      const used: Write = { table: "tokens", id, ifVersion: version, set: { usedAt: now } };
      if (!(await save(used, browser.write))) return null;
      return { token: browser.text, who: { ...toWho(found), tokenId: browser.id } };
    },

    async revokeToken(tokenId) {
      for (;;) {
        const found = await store.credentialById(tokenId);
        if (!found) return false;
        if (found.token.revokedAt !== null) return true;
        const { id, version } = found.token;
        const set = { revokedAt: clock.now() };
        if (!(await save({ table: "tokens", id, ifVersion: version, set }))) continue;
        inThisTurn.clear();
        bus?.publish({ type: "credential", tokenId });
        return true;
      }
    },

    async listTokens() {
      return (await store.tokens()).map(({ token, principal }) => ({
        id: token.id,
        kind: token.kind,
        holder: { id: principal.id, kind: principal.kind, name: principal.name },
        sessionId: token.sessionId,
        createdAt: token.createdAt,
        expiresAt: token.expiresAt,
        usedAt: token.usedAt,
        revokedAt: token.revokedAt,
        lent: token.parentId?.startsWith(LENDER) ?? false,
      }));
    },

    async isCurrent(tokenId) {
      const found = await store.credentialById(tokenId);
      return found !== null && isGood(found.token);
    },
  };
}

/** What cannot be one of ours is refused without a look into the store. */
function isToken(text: string): boolean {
  return /^bk_[A-Za-z0-9_-]{43}$/.test(text);
}

function isGoodItself(token: TokenRow, now: number): boolean {
  if (token.revokedAt !== null) return false;
  if (token.expiresAt !== null && token.expiresAt <= now) return false;
  return !(token.singleUse && token.usedAt !== null);
}

function toWho({ token, principal }: Credential): Who {
  return {
    principalId: principal.id,
    kind: principal.kind,
    name: principal.name,
    tokenId: token.id,
    sessionId: token.sessionId,
  };
}

function sameText(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
