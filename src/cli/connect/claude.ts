import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Command, Option } from "commander";
import { formatDuration, timeoutOption } from "../duration.ts";
import { dataArguments, quoted } from "../shell-words.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import { ensureHookToken } from "../hook-token.ts";
import type { Io } from "../io.ts";
import { dataOption, storeOf } from "../options.ts";
import { hooksFor, withOurs, withoutOurs } from "./claude-hooks.ts";
import { backupOf, changeHooks, type Scope, SCOPES, settingsPath } from "./settings-file.ts";

interface Options {
  data: string;
  write?: Scope | true;
  remove?: Scope | true;
  guard?: string;
  timeout?: number;
}

/** The program that hooks run. */
export const BIN = fileURLToPath(new URL("../../../bin/beckon.js", import.meta.url));
/** Claude Code ends a hook that takes longer; the prompt must have ended by itself before. */
const GRACE_SECONDS = 60;
/** The longest that is written: longer than 24 days would be no time at all for its timer. */
const WEEK_SECONDS = 7 * 24 * 60 * 60;

export function connectClaudeCommand(io: Io): Command {
  return new Command("claude")
    .description("let a claude in a terminal ask here; shows the settings, or writes them")
    .addOption(scopeOption("--write [scope]", "put them in: user (default), project or local"))
    .addOption(scopeOption("--remove [scope]", "take them out again").conflicts("write"))
    .option("--guard <tools>", "also ask before every use of these, such as 'Bash|Write'")
    .addOption(timeoutOption())
    .addOption(dataOption(io.env))
    .action((options: Options) => connect(io, options));
}

function scopeOption(flags: string, description: string): Option {
  return new Option(flags, description).choices([...SCOPES]);
}

async function connect(io: Io, options: Options): Promise<void> {
  if (options.remove) return remove(io, toScope(options.remove));
  if (options.write) return write(io, options, toScope(options.write));
  show(io, options);
}

const toScope = (given: Scope | true): Scope => (given === true ? "user" : given);

function remove(io: Io, scope: Scope): void {
  const path = settingsPath(io, scope);
  if (!changeHooks(path, withoutOurs)) {
    throw new CommandFailure(`There is nothing of Beckon in ${path}.`);
  }
  io.err(`Claude Code no longer asks here: changed ${path}. As it was: ${backupOf(path)}`);
}

async function write(io: Io, options: Options, scope: Scope): Promise<void> {
  const path = settingsPath(io, scope);
  const changed = changeHooks(path, (hooks) => withOurs(hooks, wanted(options)));
  await ensureHookToken(resolve(options.data), storeOf(io.env, undefined));
  io.err(changed ? `Claude Code asks here from its next start: wrote ${path}` : `${path} has it.`);
  io.err("To take it out again: beckon connect claude --remove");
}

/** What Claude Code is to have in its settings. */
export function wanted({ data, guard, timeout }: Pick<Options, "data" | "guard" | "timeout">) {
  if (guard === "") throw new CommandFailure("--guard needs the name of a tool.", EXIT.usage);
  const seconds = Math.min(Math.ceil((timeout ?? Infinity) / 1_000) + GRACE_SECONDS, WEEK_SECONDS);
  const command = [process.execPath, BIN].map(quoted).join(" ");
  return hooksFor({
    command: `${command} hook claude ${argumentsFor(data, timeout).map(quoted).join(" ")}`,
    timeoutSeconds: seconds,
    ...(guard === undefined ? {} : { guard }),
  });
}

function argumentsFor(data: string, timeout: number | undefined): string[] {
  const time = timeout === undefined ? [] : ["--timeout", formatDuration(timeout)];
  return [...time, ...dataArguments(data)];
}

function show(io: Io, options: Options): void {
  const server = {
    command: process.execPath,
    args: [BIN, "mcp", "permission", ...argumentsFor(options.data, options.timeout)],
  };
  const config = JSON.stringify({ mcpServers: { beckon: server } });
  io.out(`In a terminal: put this into ${settingsPath(io, "user")},`);
  io.out("or let `beckon connect claude --write` do it:");
  io.out("");
  io.out(JSON.stringify({ hooks: wanted(options) }, undefined, 2));
  io.out("");
  io.out("Without a terminal, where questions can be answered too:");
  io.out("");
  io.out("claude -p 'PROMPT' --permission-prompt-tool mcp__beckon__approve \\");
  io.out(`  --mcp-config ${quoted(config)}`);
}
