import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withData } from "./data.ts";

/** The file in the data directory with which hooks ask: a machine's token, which cannot answer. */
export const HOOK_TOKEN = "hook-token";

/** Makes sure that the file holds a token that works, readable by nobody else. */
export async function ensureHookToken(directory: string, url?: string): Promise<void> {
  const path = join(directory, HOOK_TOKEN);
  await withData({ directory, url, create: true }, async ({ credentials }) => {
    const present = await readFile(path, "utf8").catch(() => "");
    const who = await credentials.authenticate(present.trim());
    if (who?.kind === "machine") return;
    const holder = { kind: "machine", name: "Claude Code" } as const;
    const { token } = await credentials.createToken({ holder });
    const fresh = `${path}.${process.pid}.new`;
    await rm(fresh, { force: true });
    await writeFile(fresh, `${token}\n`, { mode: 0o600, flag: "wx" });
    await rename(fresh, path);
  });
}
