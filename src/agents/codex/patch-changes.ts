import type { FileChange } from "../../protocol/index.ts";

const HEAD = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;
const NO_CONTENT = /^\*\*\* (?:End of File|End Patch|Begin Patch)$/;
const KINDS = { Add: "add", Update: "edit", Delete: "delete" } as const;

/** What a patch in Codex's own form does to files; nothing where it is none. */
export function changesOfPatch(patch: string): FileChange[] | undefined {
  const files: { change: FileChange; lines: string[] }[] = [];
  for (const line of patch.split("\n")) {
    const [, verb, path] = HEAD.exec(line) ?? [];
    const last = files.at(-1);
    if (verb !== undefined && path !== undefined) {
      files.push({ change: { path, kind: KINDS[verb as keyof typeof KINDS] }, lines: [] });
    } else if (last && MOVE.test(line)) {
      Object.assign(last.change, { kind: "move", to: MOVE.exec(line)?.[1] });
    } else if (!NO_CONTENT.test(line)) last?.lines.push(line);
  }
  return files.length === 0 ? undefined : files.map(withContent);
}

function withContent({ change, lines }: { change: FileChange; lines: string[] }): FileChange {
  while (lines.at(-1) === "") lines.pop();
  if (change.kind === "delete" || lines.length === 0) return change;
  if (change.kind === "add") {
    const text = lines.map((line) => `${line.replace(/^\+/, "")}\n`).join("");
    return { ...change, newText: text };
  }
  // The first hunk may begin without a head.
  const hunks = lines[0]?.startsWith("@@") ? lines : ["@@", ...lines];
  return { ...change, diff: hunks.join("\n") };
}

const ITEM_KINDS: Record<string, FileChange["kind"] | undefined> = {
  add: "add",
  update: "edit",
  delete: "delete",
};

/** The same, as far as Codex tells it where its patch is not known. */
export function changesOfItem(
  changes: { path: string; kind: string }[] | undefined,
): FileChange[] | undefined {
  return changes?.map(({ path, kind }) => ({ path, kind: ITEM_KINDS[kind] ?? "edit" }));
}
