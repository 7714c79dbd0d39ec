import type { FileChange, InteractionRequest } from "../protocol/index.ts";
import { firstLine } from "./tool-input-parts.ts";

/** A program wants a yes and runs nothing by a name of its own. */
export function isConfirmation({ kind, toolName }: InteractionRequest): boolean {
  return kind === "confirm" && toolName === "confirm";
}

type Title = (input: Record<string, unknown>, changes?: FileChange[]) => string;

/**
 * What an approval asks for, in the words of the thing itself. It comes from the tool and its input,
 * never from the asker's own words: those stand apart. The file name, command and address that it
 * quotes are as they came, so `visibleText` is still to be done.
 */
export function approvalTitle(request: InteractionRequest): string {
  if (isConfirmation(request)) return "Confirm";
  const title = Object.hasOwn(TITLES, request.toolName) ? TITLES[request.toolName] : undefined;
  return title?.(asRecord(request.toolInput), request.changes) ?? `Allow ${request.toolName}?`;
}

/** Runs what stands in its input's `command`, and nothing else. */
export function runsCommand(toolName: string): boolean {
  return Object.hasOwn(TITLES, toolName) && TITLES[toolName] === command;
}

const command: Title = () => "Run this command?";
const change: Title = (input, changes = []) =>
  changes.length > 1 ? `Change ${changes.length} files?` : changeOne(input, changes[0]);
const changeOne = (input: Record<string, unknown>, only?: FileChange) =>
  `${VERBS[only?.kind ?? "edit"]} ${fileOf({ ...input, ...(only ? { path: only.path } : {}) })}?`;
const VERBS = { add: "Write", edit: "Change", delete: "Delete", move: "Move" };
const write: Title = (input) => `Write ${fileOf(input)}?`;
const read: Title = (input) => `Read ${fileOf(input)}?`;

/**
 * By the exact names that Beckon's own tools, Claude and Codex use. Another tool that happens to have
 * an input of the same shape is asked about by its name: nobody knows what it does with a `command`.
 */
const TITLES: Record<string, Title | undefined> = {
  bash: command,
  Bash: command,
  shell: command,
  Edit: change,
  MultiEdit: change,
  NotebookEdit: change,
  apply_patch: change,
  Write: write,
  Read: read,
  WebFetch: ({ url }) => `Open ${hostOf(url)}?`,
  WebSearch: () => "Search the web?",
  ExitPlanMode: () => "Go ahead with this plan?",
};

/** The file's own name; its whole path is part of the input, which stands below the title. */
function fileOf({ file_path: file, notebook_path: notebook, path }: Record<string, unknown>) {
  const given = [file, notebook, path].find((one) => typeof one === "string" && one !== "");
  if (typeof given !== "string") return "files";
  return firstLine(given.split(/[/\\]/).findLast((part) => part !== "") ?? given);
}

function hostOf(url: unknown): string {
  return typeof url === "string" && URL.canParse(url) ? new URL(url).host || "a page" : "a page";
}

function asRecord(input: unknown): Record<string, unknown> {
  return typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {};
}
