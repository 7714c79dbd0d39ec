import { afterTimeout } from "../client/index.ts";
import type { InteractionRequest } from "../protocol/index.ts";

/** How long there is to answer, and what happens then. */
export function TimeLeft({ ms, of: request }: { ms: number; of: InteractionRequest }) {
  return (
    <>
      <time role="timer" className="bk-time" dateTime={request.expiresAt}>
        {ms > 0 ? inWords(ms) : "Time is up"}
      </time>
      <span className="bk-after">{afterTimeout(request)}</span>
    </>
  );
}

/** Time left in the largest unit that still tells something. */
function inWords(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 120) return `${seconds} s left`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return `${minutes} min left`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h left` : `${Math.floor(hours / 24)} days left`;
}
