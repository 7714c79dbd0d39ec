import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ServerProcess } from "./server-process.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "beckon-watch-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(name: string, content: string): void {
  const path = join(root, "plugins", name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

const manifest = (id: string, ...operations: string[]) =>
  JSON.stringify({
    id,
    version: "1",
    operations: operations.map((name) => ({ id: name, summary: "Says.", inputSchema: {} })),
  });

test("with --watch-plugins an edit is there at once, a broken one changes nothing, and folders come and go", async () => {
  write("one/manifest.json", manifest("one", "say"));
  write(
    "one/index.mjs",
    "import { word } from './lib/word.mjs'; export default { operations: { say: () => word } };",
  );
  write("one/lib/word.mjs", "export { word } from './more.mjs';");
  write("one/lib/more.mjs", "export const word = 'a';");
  const server = await ServerProcess.start(
    join(root, "data"),
    "--watch-plugins",
    "--plugins",
    join(root, "plugins"),
  );
  try {
    const session = (await server.http("POST", "/api/sessions", {})).body;
    const say = async (plugin: string, operation = "say") =>
      (
        await server.http(
          "POST",
          `/api/plugins/${plugin}/operations/${operation}`,
          {},
          { "x-session-id": session.id },
        )
      ).body;
    const listed = async () =>
      (await server.http("GET", "/api/plugins")).body.plugins.map(({ id }: { id: string }) => id);

    write("one/lib/more.mjs", "export const word = 'b';");
    await server.says("The plugin one was loaded anew.");
    expect(await say("one")).toEqual({ ok: true, result: "b" });

    write("two/manifest.json", manifest("two", "tell"));
    write("two/index.mjs", "export default { operations: { tell: () => 'hello' } };");
    await server.says("The plugin two was loaded.");
    expect(await say("two", "tell")).toEqual({ ok: true, result: "hello" });

    write("one/index.mjs", "export default {");
    await server.says("The plugin one stays as it was, because");
    expect(await say("one")).toEqual({ ok: true, result: "b" });

    rmSync(join(root, "plugins", "two"), { recursive: true });
    await server.says("The plugin two is gone.");
    expect(await listed()).not.toContain("two");
    expect(await listed()).toContain("one");
  } finally {
    expect(await server.end("SIGTERM")).toBe(0);
  }
});
