import type {
  CallRow,
  JournalRow,
  PrincipalRow,
  RunRow,
  SessionRow,
  TokenRow,
} from "../../core/ports.ts";

export function principal(id: string, set: Partial<PrincipalRow> = {}): PrincipalRow {
  const row = { name: id, createdAt: 1, version: 1 };
  return { id, kind: "person", ...row, ...set };
}

export function token(id: string, set: Partial<TokenRow> = {}): TokenRow {
  return {
    id,
    hash: `hash-of-${id}`,
    principalId: "p1",
    kind: "bearer",
    sessionId: null,
    parentId: null,
    singleUse: false,
    createdAt: 1,
    expiresAt: null,
    usedAt: null,
    revokedAt: null,
    version: 1,
    ...set,
  };
}

export function session(id: string, set: Partial<SessionRow> = {}): SessionRow {
  return {
    id,
    logId: `log-of-${id}`,
    agent: "demo",
    title: "",
    cwd: null,
    host: null,
    ownerId: "p1",
    budgetId: null,
    settings: { permissionMode: "default" },
    runtimeState: null,
    lastSeq: 0,
    activeRunId: null,
    createdAt: 1,
    updatedAt: 1,
    deletedAt: null,
    version: 1,
    ...set,
  };
}

export function run(id: string, set: Partial<RunRow> = {}): RunRow {
  return {
    id,
    sessionId: "s1",
    kind: "turn",
    trigger: "user",
    status: "live",
    owner: "node-1",
    epoch: 1,
    leaseUntil: null,
    attempt: 1,
    lives: 1,
    position: null,
    state: null,
    createdAt: 1,
    endedAt: null,
    version: 1,
    ...set,
  };
}

export function call(id: string, set: Partial<CallRow> = {}): CallRow {
  return {
    sessionId: "s1",
    id,
    nativeId: null,
    runId: "r1",
    parentCallId: null,
    tool: "deploy",
    toolVersion: null,
    origin: "agent",
    callerId: null,
    turnId: null,
    responseId: null,
    durable: "replay",
    input: { to: "production" },
    inputDigest: "digest",
    seed: null,
    effectiveInput: null,
    authorizedBy: null,
    status: "running",
    ok: null,
    result: null,
    error: null,
    createdAt: 1,
    endedAt: null,
    version: 1,
    ...set,
  };
}

export function journalEntry(key: string, set: Partial<JournalRow> = {}): JournalRow {
  const row = { digest: null, value: { at: key }, version: 1 };
  return { scopeId: "s1/c1", key, kind: "step", state: "done", ...row, ...set };
}
