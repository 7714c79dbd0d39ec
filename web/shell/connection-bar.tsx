import { WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import { useConnection, useTransport } from "../parts.ts";

/** Says when the line is down, and when it is tried again; nothing while all is well. */
export function ConnectionBar() {
  const connection = useConnection();
  const transport = useTransport();
  const late = useLate(connection.state !== "online");
  const seconds = useSecondsUntil(connection.retryAt);
  if (!late || connection.state === "online") return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-side px-4 py-2 text-sm"
    >
      <WifiOff aria-hidden size={16} className="text-danger" />
      <span>
        {connection.state === "connecting"
          ? "Connecting…"
          : `The server does not answer. Trying again ${seconds > 0 ? `in ${seconds} s` : "now"}.`}
      </span>
      <span className="text-soft">Open prompts are kept.</span>
      <button className="quiet-button ml-auto" onClick={() => transport.reconnect()}>
        Try now
      </button>
    </div>
  );
}

/** True once it has been so for a moment: a line that comes back at once is no news. */
function useLate(down: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!down) {
      setLate(false);
      return undefined;
    }
    const timer = setTimeout(() => setLate(true), 700);
    return () => clearTimeout(timer);
  }, [down]);
  return late;
}

function useSecondsUntil(time: number | undefined): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (time === undefined) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [time]);
  return time === undefined ? 0 : Math.max(0, Math.ceil((time - now) / 1_000));
}
