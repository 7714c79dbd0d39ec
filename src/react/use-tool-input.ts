import { useEffect, useState } from "react";
import type { InteractionView } from "../client/index.ts";
import type { FileChange } from "../protocol/index.ts";
import { useTransport } from "./transport-context.tsx";

/** What the call would run with, and do to files: there at once, or read from the server where it is large. */
export interface LoadedInput {
  status: "ready" | "loading" | "failed";
  value: unknown;
  changes?: FileChange[];
  /** Its size where it has to be read. */
  bytes?: number;
  reload: () => void;
}

/** Reads what was too large for its event as soon as its card is shown. */
export function useToolInput({ id, request }: InteractionView): LoadedInput {
  const transport = useTransport();
  const { toolInput: value, changes } = request;
  const missing = [
    value === undefined ? request.toolInputBytes : undefined,
    changes === undefined ? request.changesBytes : undefined,
  ].filter((one) => one !== undefined);
  const bytes = missing.length > 0 ? missing.reduce((sum, one) => sum + one) : undefined;
  const [tries, setTries] = useState(0);
  const [read, setRead] = useState<Pick<LoadedInput, "status" | "value" | "changes">>(LOADING);
  useEffect(() => {
    if (bytes === undefined) return;
    let dropped = false;
    const keep = (next: typeof read) => {
      if (!dropped) setRead(next);
    };
    // oxlint-disable-next-line react/set-state-in-effect -- what was read was of another, or failed
    setRead(LOADING);
    transport.interaction(id).then(
      ({ request: { toolInput, changes: all } }) =>
        keep({ status: "ready", value: toolInput, changes: all }),
      () => keep({ status: "failed", value: undefined }),
    );
    return () => {
      dropped = true;
    };
  }, [transport, id, bytes, tries]);
  const reload = () => setTries((count) => count + 1);
  return bytes === undefined
    ? { status: "ready", value, changes, reload }
    : { ...read, bytes, reload };
}

const LOADING = { status: "loading", value: undefined } as const;
