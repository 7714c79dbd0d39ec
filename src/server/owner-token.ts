import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Credentials, OWNER_ID } from "./credentials.ts";

/**
 * Makes sure that `<dir>/token` holds a token of the owner that works, readable by nobody else.
 * A file whose token was revoked or is not known here gets a new one.
 */
export async function writeOwnerToken(credentials: Credentials, dir: string): Promise<string> {
  await credentials.ensureOwner();
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const path = join(dir, "token");
  const present = await readToken(path);
  if (present !== null && (await credentials.authenticate(present))?.principalId === OWNER_ID) {
    await chmod(path, 0o600);
    return present;
  }
  const { token } = await credentials.createToken({ holder: { principalId: OWNER_ID } });
  const fresh = `${path}.${process.pid}.new`;
  await rm(fresh, { force: true });
  // Never into a file that somebody else made, and could read.
  await writeFile(fresh, `${token}\n`, { mode: 0o600, flag: "wx" });
  await rename(fresh, path);
  return token;
}

async function readToken(path: string): Promise<string | null> {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
