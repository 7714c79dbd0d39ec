import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { BIN, wanted } from "../connect/claude.ts";
import { onlyOurs, withOurs } from "../connect/claude-hooks.ts";
import { changeHooks, readHooks, settingsPath } from "../connect/settings-file.ts";
import { ensureHookToken, HOOK_TOKEN } from "../hook-token.ts";
import type { Io } from "../io.ts";
import { storeOf } from "../options.ts";
import { quoted } from "../shell-words.ts";
import { program } from "./is-clone.ts";
import type { Right, Step } from "./step.ts";

/** Lets a Claude Code in a terminal ask here, as `beckon connect claude --write` does. */
export function hooksStep(io: Io, data: string): Step | Right {
  const path = settingsPath(io, "user");
  const ours = onlyOurs(readHooks(path));
  // Whoever has connected it with other options keeps them.
  const commands = Object.values(ours).flatMap((groups) => groups.flatMap(({ hooks }) => hooks));
  const isConnected = commands.some(({ command }) => String(command).includes(quoted(BIN)));
  if (isConnected && existsSync(resolve(data, HOOK_TOKEN))) {
    return { right: `Claude Code in a terminal asks here (${path})` };
  }
  const hooks = wanted({ data });
  const json = JSON.stringify({ hooks }, undefined, 2).split("\n");
  return {
    what: "Let Claude Code in a terminal ask here",
    shown: [`into ${path}, beside what is there:`, ...json],
    undo: `${program()} connect claude --remove`,
    async apply() {
      if (!isConnected) changeHooks(path, (before) => withOurs(before, hooks));
      await ensureHookToken(resolve(data), storeOf(io.env, undefined));
    },
  };
}
