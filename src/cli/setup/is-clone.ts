import { resolve } from "node:path";
import { BIN } from "../connect/claude.ts";

/** Whether it is run in the root of a clone of ours, where there is no command `beckon` yet. */
export function isClone(): boolean {
  return resolve("bin/beckon.js") === BIN;
}

/** How to call this program from here. */
export function program(): string {
  return isClone() ? "node bin/beckon.js" : "beckon";
}
