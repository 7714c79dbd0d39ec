import { useState } from "react";
import { useTransport } from "../../src/react/index.ts";
import type { PermissionMode as Mode, SessionRecord } from "../../src/protocol/index.ts";
import { ConfirmDialog } from "../shell/confirm-dialog.tsx";
import { ASKS_LESS, MODE_NAMES } from "../shell/permission-modes.ts";
import { useAgents } from "../shell/use-agents.ts";

/** How this session's agent asks, where it knows more than one way. Holds at once. */
export function PermissionMode({ session }: { session: SessionRecord }) {
  const transport = useTransport();
  const modes = useAgents().find(({ id }) => id === session.agent)?.capabilities?.modes ?? [];
  const [wanted, setWanted] = useState<Mode>();
  const [problem, setProblem] = useState<string>();
  if (modes.length === 0) return null;
  const change = (permissionMode: Mode) => {
    setProblem(undefined);
    return transport.updateSession(session.id, { permissionMode });
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
          const mode = target.value as Mode;
          if (ASKS_LESS.has(mode)) return setWanted(mode);
          change(mode).catch((error: unknown) => setProblem(String(error)));
        }}
      >
        {modes.map((mode) => (
          <option key={mode} value={mode}>
            {MODE_NAMES[mode]}
          </option>
        ))}
      </select>
      {wanted && (
        <ConfirmDialog
          title={`${MODE_NAMES[wanted]}?`}
          text="Commands and edits will run in this session without you being asked."
          action={MODE_NAMES[wanted]}
          onConfirm={async () => void (await change(wanted))}
          onClose={() => setWanted(undefined)}
        />
      )}
    </>
  );
}
