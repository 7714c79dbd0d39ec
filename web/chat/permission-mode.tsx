import { useState } from "react";
import { visibleText } from "../../src/client/index.ts";
import { useTransport } from "../../src/react/index.ts";
import type { AgentMode, SessionRecord } from "../../src/protocol/index.ts";
import { ConfirmDialog } from "../shell/confirm-dialog.tsx";

/** How this session's agent asks, where it knows more than one way. Holds at once. */
export function PermissionMode({ session, modes }: { session: SessionRecord; modes: AgentMode[] }) {
  const transport = useTransport();
  const [wanted, setWanted] = useState<AgentMode>();
  const [problem, setProblem] = useState<string>();
  if (modes.length === 0) return null;
  const change = (mode: AgentMode) => {
    setProblem(undefined);
    return transport.updateSession(session.id, { permissionMode: mode.id });
  };
  return (
    <>
      <select
        className="input w-auto max-w-40 py-1 text-xs"
        aria-label="How it asks"
        title={problem ?? "How it asks; holds at once"}
        aria-invalid={problem !== undefined}
        value={session.permissionMode}
        onChange={({ target }) => {
          const mode = modes.find(({ id }) => id === target.value);
          if (!mode) return;
          if (mode.asks === "nothing") return setWanted(mode);
          change(mode).catch((error: unknown) => setProblem(String(error)));
        }}
      >
        {modes.map(({ id, label }) => (
          <option key={id} value={id}>
            {visibleText(label)}
          </option>
        ))}
      </select>
      {wanted && (
        <ConfirmDialog
          title={`${visibleText(wanted.label)}?`}
          text="Commands and edits will run in this session without you being asked."
          action={visibleText(wanted.label)}
          onConfirm={async () => void (await change(wanted))}
          onClose={() => setWanted(undefined)}
        />
      )}
    </>
  );
}
