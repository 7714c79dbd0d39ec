import { spawn } from "node:child_process";
import { once } from "node:events";
import type { AgentRuntime } from "../../beckon.ts";
import { makeDataDirectory } from "../data.ts";
import { CommandFailure } from "../failure.ts";
import type { Io } from "../io.ts";
import type { Step } from "./step.ts";

/** Runs the command that installs what an agent needs. */
export function installStep(io: Io, data: string, { name, need }: AgentRuntime): Step | undefined {
  if (!need) return undefined;
  return {
    what: `Install ${need.name}, for the agent ${name}`,
    shown: [need.install],
    undo: need.install.replace("npm install", "npm uninstall"),
    async apply() {
      makeDataDirectory(data);
      // What npm says is for people: stdout has only what this command says itself.
      const child = spawn(need.install, { shell: true, stdio: ["ignore", 2, 2], env: io.env });
      const [code] = (await once(child, "close")) as [number | null];
      if (code !== 0 || !(await need.isThere())) {
        throw new CommandFailure(
          `${need.name} was not installed; npm says why above. Nothing after it was written. Try it yourself: ${need.install}`,
        );
      }
    },
  };
}
