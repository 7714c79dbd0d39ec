import { visibleText } from "../../src/client/index.ts";
import type { AgentRecord } from "../../src/protocol/index.ts";
import { CopyButton } from "./copy-button.tsx";

interface Props {
  agents: AgentRecord[];
  chosen: AgentRecord | undefined;
  onChoose: (id: string) => void;
}

/** Who a session is with. One that is not installed cannot be chosen, and says how to get it. */
export function AgentField({ agents, chosen, onChoose }: Props) {
  const missing = agents.filter(({ installed }) => !installed);
  return (
    <div className="grid gap-1">
      <label className="grid gap-1 text-sm font-medium">
        Agent
        <select
          className="input font-normal"
          aria-describedby="about-agent"
          value={chosen?.id ?? ""}
          onChange={(event) => onChoose(event.target.value)}
        >
          {agents.map(({ id, name, installed }) => (
            <option key={id} value={id} disabled={!installed}>
              {visibleText(name)}
              {installed ? "" : " (not installed)"}
            </option>
          ))}
        </select>
      </label>
      <p id="about-agent" className="text-xs text-soft">
        {visibleText(chosen?.description ?? "")}
      </p>
      {missing.length > 0 && (
        <details className="text-xs text-soft">
          <summary className="cursor-pointer py-1 underline underline-offset-2">
            {missing.length === 1 ? "1 is not installed" : `${missing.length} are not installed`}
          </summary>
          <ul className="grid gap-2">
            {missing.map(({ id, install }) => (
              <li key={id} className="grid justify-items-start break-words">
                {visibleText(install?.sentence ?? "")}
                {install && <CopyButton text={install.command} what="the command" />}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
