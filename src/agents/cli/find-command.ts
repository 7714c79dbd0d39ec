import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, resolve } from "node:path";
import { type AgentNeed, AgentUnavailable } from "../../core/index.ts";

export interface WantedCommand {
  /** A path, or a name on the PATH. */
  command: string;
  path: string | undefined;
  /** Which agent needs it, what it is, and how to get it. */
  agent: string;
  needs: string;
  install: string;
}

/**
 * Where a command is: a path, or a name on the PATH. Both are seen from the folder of this process:
 * what happens to lie in the folder that an agent works in is not to be run in its place.
 *
 * @throws AgentUnavailable where there is none; the sentence says what to do
 */
export async function findCommand(wanted: WantedCommand): Promise<string> {
  const { command, agent, needs, install } = wanted;
  const found = await locate(wanted);
  if (found !== undefined) return found;
  const isPath = command.includes("/");
  throw new AgentUnavailable(
    `The agent "${agent}" needs ${needs}, and there is no command "${command}"` +
      `${isPath ? "" : " on the PATH of the server"}. Install it with: ${install}, or name it in ` +
      `settings.json: agents["${agent}"].command`,
  );
}

/** The same, for whoever only wants to know whether it is there. */
export function needOf(wanted: WantedCommand): AgentNeed {
  return {
    name: wanted.needs,
    install: wanted.install,
    isThere: async () => (await locate(wanted)) !== undefined,
  };
}

async function locate({ command, path }: WantedCommand): Promise<string | undefined> {
  const isPath = command.includes("/");
  const folders = (path ?? "").split(delimiter).filter((folder) => folder !== "");
  for (const folder of isPath ? [""] : folders) {
    const whole = resolve(folder, command);
    if (await isExecutable(whole)) return whole;
  }
  return undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
