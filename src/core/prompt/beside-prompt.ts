import type { FileChange } from "../../protocol/index.ts";
import type { InteractionRow, SessionRow, Write } from "../ports.ts";
import { titleAfter, wordsOf } from "../session/title.ts";
import { touchSession } from "../turn/messages.ts";
import { changesWrites } from "./shown-changes.ts";

/** What is stored with a prompt beside its row: large changes, and a name for an unnamed session. */
export function besidePrompt(
  session: SessionRow,
  row: InteractionRow,
  changes: FileChange[] | undefined,
): Write[] {
  const title = titleAfter(session, wordsOf(row.request, row.toolName));
  return [...(title ? [touchSession(session, title)] : []), ...changesWrites(row, changes)];
}
