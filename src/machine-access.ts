import type { Credentials } from "./server/index.ts";

interface MachineAccess {
  env: Record<string, string>;
  release(): Promise<void>;
}

/** Longer than any command may run; what a killed server could not take back ends by itself. */
const LIFETIME_MS = 15 * 60 * 1_000;

/**
 * Lends one call what it needs to ask through this server: its address, and a machine's token that
 * is bound to the call's session. Machines ask and never decide, so nothing that an agent runs can
 * approve what an agent wants.
 */
export function createMachineAccess(
  credentials: Credentials,
  address: () => string | undefined,
  log: { warn(details: Record<string, unknown>, message: string): void },
) {
  return async ({ sessionId }: { sessionId: string }): Promise<MachineAccess> => {
    const url = address();
    if (url === undefined) return { env: {}, release: async () => {} };
    const { id, token } = await credentials.createToken({
      // One for each session: what a machine makes it may read, and no other session's machine may.
      holder: { id: `agent-${sessionId}`, kind: "machine", name: "an agent's command" },
      sessionId,
      expiresInMs: LIFETIME_MS,
    });
    return {
      env: { BECKON_URL: url, BECKON_TOKEN: token },
      async release() {
        await credentials.revokeToken(id).catch((error: unknown) => {
          log.warn({ error, tokenId: id }, "a command's token could not be revoked; it expires");
        });
      },
    };
  };
}
