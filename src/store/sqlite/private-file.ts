import { writeFileSync } from "node:fs";

/**
 * Makes an empty file that only its owner can read, unless there is one. SQLite would make it
 * readable by everybody; what it later puts beside the file gets the mode of the file.
 */
export function makePrivateFile(path: string): void {
  try {
    writeFileSync(path, "", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
