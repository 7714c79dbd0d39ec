import { statSync } from "node:fs";
import { resolve } from "node:path";
import { howToInstall } from "../../core/index.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import type { Io } from "../io.ts";
import type { Settings } from "../settings.ts";
import { findAgent, type Found } from "./found.ts";
import { hooksStep } from "./hooks-step.ts";
import { installStep } from "./install-step.ts";
import { isClone } from "./is-clone.ts";
import { type Choice, settingsStep } from "./settings-step.ts";
import type { Right, Step } from "./step.ts";
import type { Talk } from "./talk.ts";

export interface Wishes {
  data: string;
  install?: string[];
  agent?: string;
  cwd?: string;
  hooks: boolean;
}

/** What is to be done, and what is right already. */
export async function look(
  io: Io,
  wishes: Wishes,
  settings: Settings,
  found: Found[],
  talk: Talk | undefined,
): Promise<(Step | Right)[]> {
  const { data } = wishes;
  const missing = found.filter(({ isThere }) => !isThere);
  const wanted = (wishes.install ?? (await whichToInstall(missing, talk))).map((id) =>
    findAgent(found, id),
  );
  const installs = wanted
    .filter(({ isThere }) => !isThere)
    .flatMap(({ agent }) => installStep(io, data, agent) ?? []);
  const there = found.filter((one) => one.isThere || wanted.includes(one));
  const hasClaudeCode = there.some(({ agent }) => agent.id === "claude-cli");
  return [
    ...installs,
    ...(wishes.hooks && hasClaudeCode ? [hooksStep(io, data)] : []),
    settingsStep(data, settings, await choose(wishes, settings, { found, there }, talk)),
  ];
}

async function whichToInstall(missing: Found[], talk: Talk | undefined): Promise<string[]> {
  if (!talk || missing.length === 0) return [];
  const ids = missing.map(({ agent }) => agent.id).join(", ");
  const typed = await talk.ask(`Install one now? (${ids}; empty for none)`);
  return typed.split(/[\s,]+/).filter((id) => id !== "");
}

async function choose(
  { agent, cwd }: Wishes,
  { defaults = {} }: Settings,
  { found, there }: { found: Found[]; there: Found[] },
  talk: Talk | undefined,
): Promise<Choice> {
  // One that asks before it runs something, and needs a model to be of use.
  const best = there.find(({ agent: one }) => one.need && !one.capabilities.unasked)?.agent.id;
  const known = agent ?? defaults.agent;
  const id = known ?? (talk ? await talk.ask("Agent of new sessions:", best ?? "demo") : best);
  const chosen = id === undefined ? undefined : findAgent(found, id);
  if (chosen?.agent.need && !there.includes(chosen)) {
    throw new CommandFailure(howToInstall(chosen.agent.name, chosen.agent.need));
  }
  const usual = isClone() ? "" : process.cwd();
  const asks = talk && cwd === undefined && defaults.cwd === undefined;
  const folder = asks
    ? await talk.ask("Folder in which they work (empty: where the server is started):", usual)
    : cwd;
  return { agent: id, cwd: folder ? checkedFolder(folder) : undefined };
}

function checkedFolder(given: string): string {
  const folder = resolve(given);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new CommandFailure(`There is no folder ${folder}.`, EXIT.usage);
}
