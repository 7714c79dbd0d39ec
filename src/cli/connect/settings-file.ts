import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { CommandFailure } from "../failure.ts";
import type { Io } from "../io.ts";
import { parseHooks } from "./claude-hooks.ts";
import { setMember } from "./json-member.ts";

export const SCOPES = ["user", "project", "local"] as const;
export type Scope = (typeof SCOPES)[number];

/** Where Claude Code reads the settings of a scope. */
export function settingsPath(io: Io, scope: Scope): string {
  if (scope === "project") return resolve(".claude", "settings.json");
  if (scope === "local") return resolve(".claude", "settings.local.json");
  const folder = io.env["CLAUDE_CONFIG_DIR"] ?? join(io.env["HOME"] ?? homedir(), ".claude");
  return resolve(folder, "settings.json");
}

type Hooks = Exclude<ReturnType<typeof parseHooks>, string>;

/**
 * Changes the hooks in a settings file and nothing else of it. What was there before is kept beside
 * it. Gives false where there was nothing to change.
 */
export function changeHooks(path: string, change: (hooks: Hooks) => Hooks): boolean {
  const before = readText(path);
  const hooks = hooksIn(path, before);
  const changed = change(hooks);
  if (changed === hooks || JSON.stringify(changed) === JSON.stringify(hooks)) return false;
  const isEmpty = Object.keys(changed).length === 0;
  const after = setMember(before ?? "{}\n", "hooks", isEmpty ? undefined : changed);
  writeText(path, before, after);
  return true;
}

export function readHooks(path: string): Hooks {
  return hooksIn(path, readText(path));
}

function hooksIn(path: string, text: string | undefined): Hooks {
  const hooks = parseHooks(parse(text ?? "{}", path)["hooks"]);
  if (typeof hooks !== "string") return hooks;
  throw new CommandFailure(`${path} was left as it is: ${hooks}.`);
}

/** Sets one member of a settings file, and keeps what the file was beside it. */
export function changeMember(path: string, name: string, value: unknown): void {
  const before = readText(path);
  parse(before ?? "{}", path);
  writeText(path, before, setMember(before ?? "{}\n", name, value));
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new CommandFailure(`${path} cannot be read: ${(error as Error).message}`);
  }
}

function parse(text: string, path: string): Record<string, unknown> {
  const refuse = (why: string) =>
    new CommandFailure(`${path} was left as it is: ${why}. Put it right, and run this again.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refuse(`it is not JSON (${(error as Error).message})`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw refuse("it holds no object");
}

/** What a settings file was before its last change. */
export function backupOf(path: string): string {
  return `${path}.before-beckon`;
}

/** All of it or nothing, and a link stays a link. */
function writeText(path: string, before: string | undefined, after: string): void {
  if (before === undefined) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, after, { flag: "wx" });
    return;
  }
  const real = realpathSync(path);
  copyFileSync(real, backupOf(path));
  const fresh = `${real}.${process.pid}.new`;
  writeFileSync(fresh, after, { mode: statSync(real).mode });
  renameSync(fresh, real);
}
