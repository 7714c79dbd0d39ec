import { useEffect, useState } from "react";
import type { InteractionView } from "../client/index.ts";
import { useTransport } from "./transport-context.tsx";

/** What the call would run with: there at once, or read from the server where it is large. */
export interface LoadedInput {
  status: "ready" | "loading" | "failed";
  value: unknown;
  /** Its size where it has to be read. */
  bytes?: number;
  reload: () => void;
}

/** Reads an input that was too large for its event as soon as its card is shown. */
export function useToolInput({ id, request }: InteractionView): LoadedInput {
  const transport = useTransport();
  const bytes = request.toolInput === undefined ? request.toolInputBytes : undefined;
  const [tries, setTries] = useState(0);
  const [read, setRead] = useState<Pick<LoadedInput, "status" | "value">>(LOADING);
  useEffect(() => {
    if (bytes === undefined) return;
    let dropped = false;
    const keep = (next: typeof read) => {
      if (!dropped) setRead(next);
    };
    // oxlint-disable-next-line react/set-state-in-effect -- what was read was of another, or failed
    setRead(LOADING);
    transport.interaction(id).then(
      (record) => keep({ status: "ready", value: record.request.toolInput }),
      () => keep({ status: "failed", value: undefined }),
    );
    return () => {
      dropped = true;
    };
  }, [transport, id, bytes, tries]);
  const reload = () => setTries((count) => count + 1);
  return bytes === undefined
    ? { status: "ready", value: request.toolInput, reload }
    : { ...read, bytes, reload };
}

const LOADING = { status: "loading", value: undefined } as const;
