import { useCallback, useEffect, useRef, useState } from "react";
import { useConnection, useTransport } from "../../src/react/index.ts";
import type { GrantRecord } from "../../src/protocol/index.ts";

/** Every remembered approval, read when the page opens and whenever the line comes back. */
export function useGrants() {
  const transport = useTransport();
  const online = useConnection().state === "online";
  const [grants, setGrants] = useState<GrantRecord[]>();
  const [problem, setProblem] = useState<string>();
  const reads = useRef(0);
  const read = useCallback(async () => {
    const mine = ++reads.current;
    try {
      const now = await transport.grants();
      // One that was asked for later may be here already.
      if (mine === reads.current) setGrants(now);
      setProblem(undefined);
      return now;
    } catch (error) {
      setProblem(toSentence(error));
      return undefined;
    }
  }, [transport]);
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- it sets nothing before the server answers
    if (online) void read();
  }, [online, read]);

  async function revoke(id: string): Promise<void> {
    try {
      await transport.revokeGrant(id);
    } catch (error) {
      // Somebody else may have been first, or this press the second: then it is as was wished.
      const now = await read();
      if (!now || now.some((grant) => grant.id === id)) setProblem(toSentence(error));
      return;
    }
    await read();
  }

  return { grants, problem, revoke };
}

function toSentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
