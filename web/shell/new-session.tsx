import { ChevronDown, Plus } from "lucide-react";
import { useState } from "react";
import { visibleText } from "../../src/client/index.ts";
import { type LastSession, useLastSession } from "./last-session.ts";
import { NewSessionDialog } from "./new-session-dialog.tsx";
import { useAgents } from "./use-agents.ts";
import { useCreateSession } from "./use-create-session.ts";

/** One click for a session as the last one was; beside it, one with a choice of agent and folder. */
export function NewSession() {
  const { create, busy, problem } = useCreateSession();
  const [choosing, setChoosing] = useState(false);
  const last = useLastSession().read();
  const agents = useAgents();
  const agent = agents.find(({ id }) => id === last.agent);
  // What is gone since, or was never chosen, is the server's to choose.
  const wanted: LastSession = agent?.installed ? last : {};
  const about = [agent?.name, wanted.cwd, wanted.model].filter(Boolean).join(" · ");
  return (
    <div>
      <div className="flex gap-px">
        <button
          className="button button-strong flex-1 rounded-r-none"
          disabled={busy}
          onClick={() => void create(wanted)}
        >
          <Plus aria-hidden size={17} /> New session
        </button>
        <button
          className="button button-strong w-11 rounded-l-none px-0"
          aria-label="New session with a choice of agent and folder"
          title="Choose agent and folder"
          aria-haspopup="dialog"
          onClick={() => setChoosing(true)}
        >
          <ChevronDown aria-hidden size={17} />
        </button>
      </div>
      {wanted.agent !== undefined && (
        <p className="truncate px-1 pt-1 text-xs text-soft">{visibleText(`With ${about}`)}</p>
      )}
      {problem && (
        <p role="alert" className="px-1 pt-1 text-sm text-danger">
          {problem}
        </p>
      )}
      {choosing && <NewSessionDialog onClose={() => setChoosing(false)} />}
    </div>
  );
}
