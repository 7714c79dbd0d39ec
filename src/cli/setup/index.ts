import { Command } from "commander";
import { visibleText } from "../../client/index.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import type { Io } from "../io.ts";
import { collect, dataOption } from "../options.ts";
import { readSettings } from "../settings.ts";
import { addressOf, sayAddress } from "./address.ts";
import { type Found, linesOf, lookForAgents } from "./found.ts";
import { look, type Wishes } from "./look.ts";
import type { Right, Step } from "./step.ts";
import { openTalk, type Talk } from "./talk.ts";

interface Options extends Wishes {
  yes?: boolean;
  json?: boolean;
}

export function setupCommand(io: Io): Command {
  return new Command("setup")
    .description("find agents on this machine, and set up what is missing")
    .option("--yes", "write without asking; without it and without a terminal nothing is written")
    .option("--install <agent>", "install what this agent needs, with npm; repeatable", collect)
    .option("--agent <agent>", "the agent of a session that names none")
    .option("--cwd <folder>", "where agents work whose session names no folder")
    .option("--no-hooks", "leave the settings of Claude Code alone")
    .option("--json", "print one JSON object: { agents, steps, address? }; asks nothing")
    .addOption(dataOption(io.env))
    .action((options: Options) => setup(io, options));
}

async function setup(io: Io, options: Options): Promise<void> {
  const { data, json, yes } = options;
  const settings = readSettings(data);
  const found = await lookForAgents(io, settings, data);
  const terminal = yes || json ? undefined : io.terminal?.();
  const talk = terminal && openTalk(terminal);
  const say = json ? () => {} : (line: string) => io.out(visibleText(line));
  try {
    say("Agents on this machine:");
    for (const line of linesOf(found)) say(line);
    say("");
    const looked = await look(io, options, settings, found, talk);
    const steps = looked.filter((one): one is Step => "apply" in one);
    show(say, looked);
    const isWanted = steps.length > 0 && (yes ?? (await talk?.confirm("Do all of this?"))) === true;
    if (isWanted) await applyAll(say, steps);
    else if (steps.length > 0) refuse(say, talk);
    const address = await addressOf(io, data);
    if (json) {
      const now = isWanted ? await lookForAgents(io, settings, data) : found;
      const agents = now.map(toRecord);
      const told = steps.map(({ what, shown, undo }) => ({ what, shown, undo, done: isWanted }));
      io.out(JSON.stringify({ agents, steps: told, ...(address && { address }) }));
    } else sayAddress(io, data, address, isWanted);
  } finally {
    talk?.close();
  }
}

/** What another program is told of an agent. */
function toRecord({ agent: { id, name, need }, isThere: installed }: Found) {
  const install = installed ? undefined : need?.install;
  return { id, name, installed, install };
}

function show(say: (line: string) => void, looked: (Step | Right)[]): void {
  for (const one of looked) {
    if ("right" in one) say(`As it should be: ${one.right}.`);
    else {
      say(`${one.what}:`);
      for (const line of one.shown) say(`  ${line}`);
    }
    say("");
  }
}

function refuse(say: (line: string) => void, talk: Talk | undefined): void {
  if (talk) throw new CommandFailure("Nothing was written.", EXIT.cancelled);
  say("Nothing was written. To do all of this: the same command with --yes, or in a terminal.");
}

async function applyAll(say: (line: string) => void, steps: Step[]): Promise<void> {
  for (const step of steps) {
    await step.apply();
    say(`Done: ${step.what}. To undo it: ${step.undo}`);
  }
}
