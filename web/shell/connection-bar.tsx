import { Wifi, WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import { useConnection, useTransport } from "../../src/react/index.ts";
import { useChange } from "../use-change.ts";

/** Says when the line is down, when it is tried again, and when it is back; else nothing. */
export function ConnectionBar() {
  const connection = useConnection();
  const transport = useTransport();
  const news = useNews(connection.state === "online");
  const seconds = useSecondsUntil(connection.retryAt);
  const trying =
    connection.state === "connecting" ? "Trying…" : `Trying again ${inWords(seconds)}.`;
  return (
    <>
      {/* Apart from what is seen: the seconds are not read out one by one. */}
      <p role="status" className="sr-only">
        {news === "down" && "The connection is lost. It is tried again by itself."}
        {news === "back" && "Connected again."}
      </p>
      {news === "down" && (
        <div className="notice-bar" data-connection="down">
          <WifiOff aria-hidden size={16} className="shrink-0 text-danger" />
          <p className="min-w-0 flex-1">
            <strong className="font-medium">The connection is lost.</strong> {trying}{" "}
            <span className="text-soft">Open prompts are kept, and so is what you write.</span>
          </p>
          <button className="button" onClick={() => transport.reconnect()}>
            Try now
          </button>
        </div>
      )}
      {news === "back" && (
        <div aria-hidden className="notice-bar text-done" data-connection="back">
          <Wifi size={16} className="shrink-0" /> Connected again
        </div>
      )}
    </>
  );
}

const inWords = (seconds: number) => (seconds > 0 ? `in ${seconds} s` : "now");

const A_MOMENT_MS = 700;
const SHOWN_MS = 2_500;

/** A line that comes back within a moment is no news. */
function useNews(online: boolean): "down" | "back" | undefined {
  const [news, setNews] = useState<"down" | "back">();
  useChange(online, () => {
    if (online) setNews((before) => (before === "down" ? "back" : undefined));
  });
  useEffect(() => {
    const timer = setTimeout(
      () => setNews(online ? undefined : "down"),
      online ? SHOWN_MS : A_MOMENT_MS,
    );
    return () => clearTimeout(timer);
  }, [online]);
  return news;
}

function useSecondsUntil(time: number | undefined): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (time === undefined) return undefined;
    // oxlint-disable-next-line react/set-state-in-effect -- it has stood still since the last wait
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [time]);
  return time === undefined ? 0 : Math.max(0, Math.ceil((time - now) / 1_000));
}
