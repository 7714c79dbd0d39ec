import { stat } from "node:fs/promises";

/** Throws where there is no such folder: a program would only say that it could not be started. */
export async function checkFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw new Error(`The folder ${path} does not exist. Make it, or choose another.`);
}
