import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";
import type { LendAccess } from "./core/index.ts";
import type { Credentials } from "./server/index.ts";

/** Longer than what it is lent for takes. */
const LIFETIME_MS = { command: 15 * 60 * 1_000, turn: 30 * 24 * 60 * 60 * 1_000 };

/** Holds the command `beckon`. It stands one folder up both from the sources and from the build. */
const BIN = fileURLToPath(new URL("../bin/path", import.meta.url));

/**
 * Lends what an agent starts what it needs to ask through this server: its address, and a machine's
 * token that is bound to the session. Machines ask and never decide, so nothing that an agent runs
 * can approve what an agent wants.
 */
export function createMachineAccess(
  credentials: Credentials,
  address: () => string | undefined,
  log: { warn(details: Record<string, unknown>, message: string): void },
): { lend: LendAccess; releaseAll(): Promise<void> } {
  const lent = new Set<() => Promise<void>>();
  const lend: LendAccess = async ({ sessionId, toolCallId }) => {
    const url = address();
    if (url === undefined) return { environment: withoutOurs, release: async () => {} };
    const { id, token } = await credentials.createToken({
      // One for each session: what a machine makes it may read, and no other session's machine may.
      holder: { id: `agent-${sessionId}`, kind: "machine", name: "an agent's command" },
      sessionId,
      // What a killed server could not take back ends with it.
      lent: true,
      expiresInMs: toolCallId === undefined ? LIFETIME_MS.turn : LIFETIME_MS.command,
    });
    const release = async () => {
      if (!lent.delete(release)) return;
      await credentials.revokeToken(id).catch((error: unknown) => {
        log.warn({ error, tokenId: id }, "a command's token could not be revoked; it expires");
      });
    };
    lent.add(release);
    return {
      environment: (base) => ({
        ...withoutOurs(base),
        BECKON_URL: url,
        BECKON_TOKEN: token,
        BECKON_SESSION_ID: sessionId,
        ...(toolCallId === undefined ? {} : { BECKON_TOOL_CALL_ID: toolCallId }),
        PATH: base["PATH"] ? `${base["PATH"]}${delimiter}${BIN}` : BIN,
      }),
      release,
    };
  };
  return {
    lend,
    /** Takes back what is still lent: whoever has it is gone, or will be. */
    async releaseAll() {
      await Promise.all([...lent].map((release) => release()));
    },
  };
}

/** What the server was started with is a person's. */
function withoutOurs(base: Readonly<Record<string, string | undefined>>) {
  const rest = Object.entries(base).filter(([name]) => !name.startsWith("BECKON_"));
  return Object.fromEntries(rest);
}
