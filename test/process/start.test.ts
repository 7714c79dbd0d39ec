import { type ChildProcess, spawn } from "node:child_process";
import { cp, mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { codeIn, inFolder, readHere } from "../support/guide-folder.ts";
import { InboxPerson } from "../support/inbox-person.ts";
import { killAll, ServerProcess } from "./server-process.ts";

/* The lines of the pages that start a server: README.md and docs/guide/interactive-tools.md. */

const root = fileURLToPath(new URL("../..", import.meta.url));
const START = /^(?:npm install && )?npm start(?: -- (?<flags>.*))?\n$/;
const starts = async (page: string) =>
  codeIn(await readHere(page), "sh").filter((block) => START.test(block));
const flagsOf = (block: string) => START.exec(block)?.groups?.["flags"]?.split(" ") ?? [];

/** What a clone has after `npm install`, which is where every test begins. */
async function cloneInto(folder: string): Promise<void> {
  const parts = ["bin", "dist", "plugins", "scripts", "src", "web"];
  const files = ["package.json", "package-lock.json", "tsconfig.json", "tsconfig.base.json"];
  for (const part of [...parts, ...files]) {
    const options = { recursive: true, preserveTimestamps: true };
    await cp(join(root, part), join(folder, part), options);
  }
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
}

/** The first line that a command prints which fits. */
async function firstLine(child: ChildProcess, fits: RegExp): Promise<string> {
  let said = "";
  child.stderr?.on("data", (piece: Buffer) => (said += piece.toString()));
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const found = fits.exec(line)?.[1];
    if (found !== undefined) return found;
    said += `${line}\n`;
  }
  throw new Error(`It ended without that: ${said}`);
}

test("the first command of the README reaches a page, and a prompt that can be answered", async () => {
  const [first = ""] = await starts("README.md");
  expect(first).toBe("npm install && npm start\n");
  await inFolder(async (folder) => {
    const [home, clone] = [join(folder, "home"), join(folder, "clone")];
    await mkdir(home);
    await cloneInto(clone);
    const { BECKON_DATA: _data, ...env } = process.env;
    const child = spawn("npm", ["start", "--", "--port", "0"], {
      cwd: clone,
      detached: true,
      env: { ...env, HOME: home },
    });
    try {
      const address = new URL(await firstLine(child, /^Beckon listens on (\S+)$/));
      expect(await (await fetch(address)).text()).toContain("<title>Beckon</title>");
      const signedIn = await fetch(new URL("/api/auth/exchange", address), {
        method: "POST",
        headers: { "content-type": "application/json", origin: address.origin },
        body: JSON.stringify({ code: address.hash.replace("#code=", "") }),
      });
      expect(signedIn.status).toBe(200);
      const token = (await readFile(join(home, ".beckon", "token"), "utf8")).trim();
      const person = await InboxPerson.connect(address.origin, token);
      const session = await fetch(new URL("/api/sessions", address), {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: "{}",
      });
      await person.client.say((await session.json()).id, "/tour");
      expect(await person.say({ action: "approve" })).toMatchObject({ toolName: "tour_delete" });
      await person.client.close();
    } finally {
      killAll(child);
    }
  });
}, 180_000);

test("npm start is serve with the same flags", async () => {
  const { scripts } = JSON.parse(await readHere("package.json"));
  expect(scripts.start).toMatch(/ && exec node bin\/beckon\.js serve$/);
});

test("the tool of the README waits through a kill, and its call gets the answer", async () => {
  const [, second = ""] = await starts("README.md");
  const [, command = ""] =
    /`(\/call ask_user_question [^`]*)`/.exec(await readHere("README.md")) ?? [];
  await inFolder(async (folder) => {
    const before = await ServerProcess.start(folder, ...flagsOf(second));
    const { id } = (await before.http("POST", "/api/sessions", {})).body;
    const asker = await before.person();
    await asker.subscribe(id);
    await asker.say(id, command);
    const request = await asker.event("interaction_request");
    await asker.close();
    await before.end("SIGKILL");
    const after = await ServerProcess.start(folder, ...flagsOf(second));
    try {
      const person = await after.person();
      await person.subscribe(id);
      await person.answer(request, { action: "submit", input: { answer: "Soup" } });
      const { payload } = await person.event("tool_result");
      expect(payload).toMatchObject({ ok: true, result: { answer: "Soup" } });
      await person.close();
    } finally {
      await after.end("SIGKILL");
    }
  });
});

test("the plugins that the guide starts are there", async () => {
  const [block = ""] = await starts("docs/guide/interactive-tools.md");
  await inFolder(async (folder) => {
    const server = await ServerProcess.start(folder, ...flagsOf(block));
    const { plugins } = (await server.http("GET", "/api/plugins")).body;
    expect(plugins.map(({ id }: { id: string }) => id)).toContain("demo-tools");
    await server.end("SIGKILL");
  });
});
