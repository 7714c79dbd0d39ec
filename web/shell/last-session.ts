import { use, useMemo } from "react";
import type { CreateSessionBody } from "../../src/protocol/index.ts";
import { MyId, storageOf } from "../personal.tsx";

const KEY = "last-session";

/** What a person chose for the last session that they started here. Nothing secret. */
export type LastSession = Pick<CreateSessionBody, "agent" | "cwd" | "model">;

/** Remembers it for the next one, in this browser and for this person. */
export function useLastSession() {
  const id = use(MyId);
  return useMemo(() => {
    const storage = id === undefined ? undefined : storageOf(id);
    return {
      read(): LastSession {
        try {
          return fromStored(JSON.parse(storage?.getItem(KEY) ?? "{}"));
        } catch {
          return {};
        }
      },
      keep({ agent, cwd, model }: LastSession): void {
        try {
          storage?.setItem(KEY, JSON.stringify({ agent, cwd, model }));
        } catch {
          // A browser that keeps nothing begins with the server's choice each time.
        }
      },
    };
  }, [id]);
}

function fromStored(value: unknown): LastSession {
  const { agent, cwd, model } = value as Record<string, unknown>;
  return {
    ...(typeof agent === "string" ? { agent } : {}),
    ...(typeof cwd === "string" ? { cwd } : {}),
    ...(typeof model === "string" ? { model } : {}),
  };
}
