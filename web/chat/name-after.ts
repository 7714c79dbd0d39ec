import type { SessionRecord } from "../../src/protocol/index.ts";
import type { Transport } from "../../src/transport/index.ts";

const UNNAMED = "New session";
const LONGEST = 60;

/** Calls a session that nobody has named by the first message to it, so that it can be found. */
export function nameAfter(text: string, session: SessionRecord, transport: Transport): void {
  const line = text.trim().split("\n", 1)[0] ?? "";
  if (session.title !== UNNAMED || line === "") return;
  const characters = Array.from(line);
  const title = characters.slice(0, LONGEST).join("");
  const short = characters.length > LONGEST ? `${title}…` : title;
  // It can be called something at any time.
  transport.updateSession(session.id, { title: short }).catch(() => {});
}
