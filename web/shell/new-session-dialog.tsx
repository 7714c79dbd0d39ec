import { useState } from "react";
import { visibleText } from "../../src/client/index.ts";
import type { AgentRecord } from "../../src/protocol/index.ts";
import { AgentField } from "./agent-field.tsx";
import { useLastSession } from "./last-session.ts";
import { Modal } from "./modal.tsx";
import { useAgents } from "./use-agents.ts";
import { useCreateSession } from "./use-create-session.ts";
import { useSessions } from "./world.tsx";

export function NewSessionDialog({ onClose }: { onClose: () => void }) {
  const agents = useAgents();
  const { create, busy, problem } = useCreateSession();
  const last = useLastSession();
  const [before] = useState(() => last.read());
  const [agent, setAgent] = useState(before.agent);
  const [cwd, setCwd] = useState(before.cwd ?? "");
  const [model, setModel] = useState(before.model ?? "");
  const [title, setTitle] = useState("");
  const [permissionMode, setPermissionMode] = useState<string>();
  const folders = new Set(useSessions().sessions.flatMap((session) => session.cwd ?? []));
  const chosen = firstOf(agents, agent);
  const modes = chosen?.modes ?? [];

  return (
    <Modal title="New session" onClose={onClose}>
      {(close) => (
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            const wanted = {
              ...(chosen ? { agent: chosen.id } : {}),
              ...(cwd.trim() ? { cwd: cwd.trim() } : {}),
              ...(model.trim() ? { model: model.trim() } : {}),
            };
            const once = {
              ...(title.trim() ? { title: title.trim() } : {}),
              ...(modes.some(({ id }) => id === permissionMode) ? { permissionMode } : {}),
            };
            void create({ ...wanted, ...once }).then((made) => {
              if (!made) return;
              last.keep(wanted);
              close();
            });
          }}
        >
          <AgentField
            agents={agents}
            chosen={chosen}
            onChoose={(id) => {
              setAgent(id);
              // A model is one agent's.
              setModel("");
            }}
          />
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
          <Suggested
            name="Folder"
            about="Where it works, on the server’s machine."
            placeholder="The server’s own choice"
            maxLength={4_096}
            known={[...folders].map((id) => ({ id, label: id }))}
            value={cwd}
            onChange={setCwd}
          />
          {chosen?.id !== "demo" && (
            <Suggested
              name="Model"
              about="As the agent calls it."
              placeholder="The agent’s own choice"
              maxLength={200}
              known={chosen?.models ?? []}
              value={model}
              onChange={setModel}
            />
          )}
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

/** The one that was wanted, if it is there; else the first that is installed. */
function firstOf(agents: AgentRecord[], wanted: string | undefined): AgentRecord | undefined {
  const installed = agents.filter((agent) => agent.installed);
  return installed.find(({ id }) => id === wanted) ?? installed[0];
}

interface SuggestedProps {
  name: string;
  about: string;
  placeholder: string;
  maxLength: number;
  known: { id: string; label: string }[];
  value: string;
  onChange: (value: string) => void;
}

/** A field for anything, which offers what is known. */
function Suggested({ name, about, known, value, onChange, ...field }: SuggestedProps) {
  const id = name.toLowerCase();
  return (
    <div className="grid gap-1">
      <label className="grid gap-1 text-sm font-medium">
        {name}
        <input
          {...field}
          className="input font-mono font-normal"
          list={`known-${id}`}
          aria-describedby={`about-${id}`}
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      </label>
      <p id={`about-${id}`} className="text-xs text-soft">
        {about}
      </p>
      <datalist id={`known-${id}`}>
        {known.map((one) => (
          <option key={one.id} value={one.id}>
            {visibleText(one.label)}
          </option>
        ))}
      </datalist>
    </div>
  );
}
