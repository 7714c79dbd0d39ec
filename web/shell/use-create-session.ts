import { useState } from "react";
import { useTransport } from "../../src/react/index.ts";
import type { CreateSessionBody } from "../../src/protocol/index.ts";
import { goTo } from "../route.ts";

/** Makes a session and goes there; or says why there is none. */
export function useCreateSession() {
  const transport = useTransport();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const create = async (body: CreateSessionBody = {}): Promise<boolean> => {
    setBusy(true);
    try {
      const { id } = await transport.createSession(body);
      setProblem(undefined);
      // The composer of the new session takes the focus that nobody has.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      goTo({ page: "session", sessionId: id });
      return true;
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { create, busy, problem };
}
