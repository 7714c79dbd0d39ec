import { useState } from "react";
import { visibleText } from "../../src/client/index.ts";
import { Modal } from "./modal.tsx";
import { useAgents } from "./use-agents.ts";
import { useCreateSession } from "./use-create-session.ts";
import { useSessions } from "./world.tsx";

export function NewSessionDialog({ onClose }: { onClose: () => void }) {
  const agents = useAgents();
  const { create, busy, problem } = useCreateSession();
  const [agent, setAgent] = useState<string>();
  const [cwd, setCwd] = useState("");
  const [title, setTitle] = useState("");
  const [permissionMode, setPermissionMode] = useState<string>();
  const folders = new Set(useSessions().sessions.flatMap((session) => session.cwd ?? []));
  const chosen = agents.find(({ id }) => id === agent) ?? agents[0];
  const modes = chosen?.modes ?? [];

  return (
    <Modal title="New session" onClose={onClose}>
      {(close) => (
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            const wanted = {
              ...(agent ? { agent } : {}),
              ...(cwd.trim() ? { cwd: cwd.trim() } : {}),
              ...(title.trim() ? { title: title.trim() } : {}),
              ...(modes.some(({ id }) => id === permissionMode) ? { permissionMode } : {}),
            };
            void create(wanted).then((made) => made && close());
          }}
        >
          <label className="grid gap-1 text-sm font-medium">
            Agent
            <select
              className="input font-normal"
              aria-describedby="about-agent"
              value={chosen?.id ?? ""}
              onChange={(event) => setAgent(event.target.value)}
            >
              {agents.map(({ id, name }) => (
                <option key={id} value={id}>
                  {visibleText(name)}
                </option>
              ))}
            </select>
          </label>
          <p id="about-agent" className="-mt-3 text-xs text-soft">
            {visibleText(chosen?.description ?? "")}
          </p>
          {modes.length > 0 && (
            <label className="grid gap-1 text-sm font-medium">
              How it asks
              <select
                className="input font-normal"
                value={permissionMode ?? modes[0]?.id}
                onChange={(event) => setPermissionMode(event.target.value)}
              >
                {modes.map(({ id, label }) => (
                  <option key={id} value={id}>
                    {visibleText(label)}
                  </option>
                ))}
              </select>
            </label>
          )}
          <label className="grid gap-1 text-sm font-medium">
            Folder
            <input
              className="input font-mono font-normal"
              list="known-folders"
              aria-describedby="about-folder"
              maxLength={4_096}
              placeholder="The server’s own choice"
              autoComplete="off"
              spellCheck={false}
              value={cwd}
              onChange={(event) => setCwd(event.target.value)}
            />
          </label>
          <p id="about-folder" className="-mt-3 text-xs text-soft">
            Where it works, on the server’s machine.
          </p>
          <datalist id="known-folders">
            {[...folders].map((folder) => (
              <option key={folder} value={folder}>
                {folder}
              </option>
            ))}
          </datalist>
          <label className="grid gap-1 text-sm font-medium">
            Title
            <input
              className="input font-normal"
              maxLength={200}
              placeholder="Your first message"
              value={title}
              onChange={(event) => setTitle(event.target.value)}
            />
          </label>
          {problem && (
            <p role="alert" className="text-sm text-danger">
              {problem}
            </p>
          )}
          <div className="flex justify-end gap-2">
            <button type="button" className="button" onClick={close}>
              Cancel
            </button>
            <button className="button button-strong" disabled={busy}>
              Start
            </button>
          </div>
        </form>
      )}
    </Modal>
  );
}
