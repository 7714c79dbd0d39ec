import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSettings } from "../../src/cli/settings.ts";
import { codeIn, inFolder, readHere } from "../support/guide-folder.ts";

test.each(["docs/guide/claude.md", "docs/guide/codex.md"])(
  "a server takes the settings that %s shows",
  async (page) => {
    const [shown = ""] = codeIn(await readHere(page), "json");
    await inFolder(async (folder) => {
      await writeFile(join(folder, "settings.json"), shown);
      expect(readSettings(folder)).toEqual(JSON.parse(shown));
    });
  },
);
