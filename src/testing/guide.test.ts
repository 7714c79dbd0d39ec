import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { checkDurableTool, loadPluginTools } from "./index.ts";

/* What the guides show is what runs. */

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFile(join(root, path), "utf8");

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "beckon-guide-"));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function firstCode(markdown: string): string {
  return /```js\n([\s\S]*?)```/.exec(markdown)?.[1] ?? "";
}

/** A package of its own that has Beckon, as it is built, and what Beckon needs; vitest it has not. */
async function installInto(folder: string): Promise<void> {
  const modules = join(folder, "node_modules");
  await mkdir(modules);
  for (const part of ["dist", "package.json"]) {
    await cp(join(root, part), join(modules, "beckon", part), { recursive: true });
  }
  const { dependencies } = JSON.parse(await read("package.json")) as { dependencies: object };
  for (const name of Object.keys(dependencies)) {
    await mkdir(join(modules, name, ".."), { recursive: true });
    await symlink(join(root, "node_modules", name), join(modules, name));
  }
}

test("the guide's example is the one in examples/, and runs where there is no vitest", async () => {
  const example = await read("examples/testing/order.test.js");
  expect(firstCode(await read("docs/guide/testing-tools.md"))).toBe(example);
  await inFolder(async (folder) => {
    await installInto(folder);
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    await writeFile(join(folder, "order.test.js"), example);
    const { VITEST: _vitest, ...env } = process.env;
    const run = promisify(execFile)(process.execPath, ["--test", "order.test.js"], {
      cwd: folder,
      env: { ...env, NODE_OPTIONS: "" },
    });
    expect((await run).stdout).toMatch(/pass 2\n.*fail 0/);
  });
});

test("the plugin in the guide to durable tools keeps its rules", async () => {
  const code = firstCode(await read("docs/guide/durable-tools.md"));
  await inFolder(async (folder) => {
    const operation = { id: "order", summary: "Orders.", inputSchema: {}, durable: "replay" };
    const manifest = { id: "shop", version: "1", operations: [operation] };
    await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
    await writeFile(join(folder, "index.mjs"), code);
    const plugin = await loadPluginTools(folder);
    const report = await checkDurableTool(plugin.operation("order"), {
      args: { item: "lamp" },
      answers: [{ action: "approve" }, { action: "approve" }],
    });
    await plugin.close();
    expect(String(report)).toMatch(/^shop_order kept every rule/);
    expect(report.end).toMatchObject({ ok: true, result: { ordered: true } });
  });
});
