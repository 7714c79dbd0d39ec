import { existsSync } from "node:fs";
import { join } from "node:path";
import { AGENT_KINDS } from "../../agents/index.ts";
import { backupOf, changeMember } from "../connect/settings-file.ts";
import { makeDataDirectory } from "../data.ts";
import type { Settings } from "../settings.ts";
import type { Right, Step } from "./step.ts";

export interface Choice {
  agent?: string | undefined;
  cwd?: string | undefined;
}

/** Which agent a session gets that names none, and where it works. */
export function settingsStep(data: string, { defaults = {} }: Settings, choice: Choice) {
  const usual = AGENT_KINDS[0]?.id;
  const agent = choice.agent === (defaults.agent ?? usual) ? defaults.agent : choice.agent;
  const { cwd } = choice;
  const after = { ...defaults, ...(agent && { agent }), ...(cwd && { cwd }) };
  const path = join(data, "settings.json");
  if (after.agent === defaults.agent && after.cwd === defaults.cwd) {
    const folder = defaults.cwd ?? "the folder where the server is started";
    const right = `New sessions are with ${defaults.agent ?? usual}, in ${folder} (${path})`;
    return { right } satisfies Right;
  }
  const isNew = !existsSync(path);
  return {
    what: "Set what a new session gets",
    shown: [`into ${path}:`, `"defaults": ${JSON.stringify(after)}`],
    undo: isNew ? `delete ${path}` : `put back what it was: ${backupOf(path)}`,
    apply: async () => {
      makeDataDirectory(data);
      changeMember(path, "defaults", after);
    },
  } satisfies Step;
}
