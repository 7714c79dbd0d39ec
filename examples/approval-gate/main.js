import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tryIt } from "../try-it.js";
import { createCleanUp } from "./clean-up.js";

const folder = mkdtempSync(join(tmpdir(), "beckon-files-"));
for (const name of ["build.log", "test.log", "notes.txt"]) writeFileSync(join(folder, name), "");
const message = '/call clean_up {"ending":".log"}';

await tryIt({
  tools: [createCleanUp(folder)],
  message,
  next: () => `In the folder now: ${readdirSync(folder).join(", ")}

To try it again, make a file, and send the message in the page. If you allow it for the session,
the next one is deleted without asking.

  touch ${join(folder, "new.log")}
  ${message}`,
});
rmSync(folder, { recursive: true });
