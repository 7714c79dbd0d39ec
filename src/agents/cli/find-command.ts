import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";

/** There is no Claude Code; the sentence says what to do. */
class ClaudeCodeMissing extends Error {
  readonly code = "agent_unavailable";
}

/** Where the command is: a path is taken as it is, a name is looked for on the PATH. */
export async function findCommand(
  command: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const isPath = command.includes("/");
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const places = isPath ? [resolve(command)] : folders.map((folder) => join(folder, command));
  for (const path of places) if (await isExecutable(path)) return path;
  throw new ClaudeCodeMissing(
    `The agent "claude-cli" needs Claude Code, and there is no command "${command}"` +
      `${isPath ? "" : " on the PATH of the server"}. Install it with: npm install -g ` +
      `@anthropic-ai/claude-code, or name it in settings.json: agents["claude-cli"].command`,
  );
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
