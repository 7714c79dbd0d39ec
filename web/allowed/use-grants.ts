import { useCallback, useEffect, useState } from "react";
import type { GrantRecord } from "../../src/protocol/index.ts";
import { useConnection, useTransport } from "../parts.ts";

/** Every remembered approval, read when the page opens and whenever the line comes back. */
export function useGrants() {
  const transport = useTransport();
  const online = useConnection().state === "online";
  const [grants, setGrants] = useState<GrantRecord[]>();
  const [problem, setProblem] = useState<string>();
  const read = useCallback(async () => {
    try {
      setGrants(await transport.grants());
      setProblem(undefined);
    } catch (error) {
      setProblem(toSentence(error));
    }
  }, [transport]);
  useEffect(() => {
    if (online) void read();
  }, [online, read]);

  async function revoke(id: string): Promise<void> {
    try {
      await transport.revokeGrant(id);
    } catch (error) {
      // Somebody else may have been first: what is left says it.
      await read();
      setProblem(toSentence(error));
      return;
    }
    await read();
  }

  return { grants, problem, revoke };
}

function toSentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
