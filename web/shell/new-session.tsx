import { ChevronDown, Plus } from "lucide-react";
import { useState } from "react";
import { NewSessionDialog } from "./new-session-dialog.tsx";
import { useCreateSession } from "./use-create-session.ts";

/** One click for a session as it usually is; beside it, one with a choice of agent and folder. */
export function NewSession() {
  const { create, busy, problem } = useCreateSession();
  const [choosing, setChoosing] = useState(false);
  return (
    <div>
      <div className="flex gap-px">
        <button
          className="button button-strong flex-1 rounded-r-none"
          disabled={busy}
          onClick={() => void create()}
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
      {problem && (
        <p role="alert" className="px-1 pt-1 text-sm text-danger">
          {problem}
        </p>
      )}
      {choosing && <NewSessionDialog onClose={() => setChoosing(false)} />}
    </div>
  );
}
