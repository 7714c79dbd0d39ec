import { execFile, spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MAY_LACK } from "./support/depth.ts";
import { type Beckon, createBeckon } from "../src/beckon.ts";
import { run as runCommand } from "../src/cli/program.ts";
import { Client } from "./scenarios/client.ts";
import { codeIn, inFolder, installInto, readHere } from "./support/guide-folder.ts";

/* What the guide to plugins shows is what runs. */

const root = fileURLToPath(new URL("..", import.meta.url));
const run = promisify(execFile);
const page = await readHere("docs/guide/plugins.md");
const [, settings, counted, refused, form] = codeIn(page, "json");
const [newAndCheck, call, curl, skill] = codeIn(page, "sh");
const [typescript] = codeIn(page, "ts");

let beckon: Beckon;
let url: string;
let sessionId: string;

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${beckon.ownerToken}`,
      "content-type": "application/json",
      ...headers,
    },
    body: JSON.stringify(body),
  });
  return response.json();
}

beforeAll(async () => {
  beckon = await createBeckon({
    dataDir: ":memory:",
    plugins: [join(root, "examples/plugins/counter"), join(root, "plugins/questions")],
    pluginSettings: JSON.parse(settings ?? "").plugins,
  });
  ({ url } = await beckon.listen({ host: "127.0.0.1", port: 0 }));
  sessionId = (await post("/api/sessions", {})).id;
});
afterAll(() => beckon.close());

const operate = (plugin: string, operation: string, args: unknown) =>
  post(`/api/plugins/${plugin}/operations/${operation}`, args, { "x-session-id": sessionId });

test("the plugin in the guide is loaded with the settings shown", () => {
  expect(beckon.pluginProblems).toEqual([]);
});

const hasCurl = spawnSync("curl", ["--version"]).status === 0;

test.skipIf(!hasCurl && MAY_LACK)(
  "the curl command gets the reply shown, and once more the same call's",
  async () => {
    await inFolder(async (home) => {
      await mkdir(join(home, ".beckon"));
      await writeFile(join(home, ".beckon", "token"), beckon.ownerToken);
      const command = (curl ?? "").replace("http://127.0.0.1:4780", url);
      for (let time = 1; time <= 2; time++) {
        const { stdout } = await run("sh", ["-c", command], {
          env: { ...process.env, HOME: home, SESSION: sessionId },
        });
        expect(JSON.parse(stdout)).toEqual(JSON.parse(counted ?? ""));
      }
    });
  },
);

test("the command that calls an operation prints its result", async () => {
  const env = {
    ...process.env,
    PATH: `${join(root, "bin", "path")}:${process.env["PATH"]}`,
    BECKON_URL: url,
    BECKON_TOKEN: beckon.ownerToken,
  };
  const { stdout } = await run("sh", ["-c", call ?? ""], { env });
  expect(JSON.parse(stdout)).toEqual({ count: 104 });
});

test("arguments that do not fit get the reply shown", async () => {
  expect(await operate("counter", "next", { by: 0, colour: "red" })).toEqual(
    JSON.parse(refused ?? ""),
  );
});

test("the operation that asks, asks", async () => {
  const person = await Client.connect(url, beckon.ownerToken);
  await person.subscribe(sessionId);
  const ended = operate("counter", "reset", {});
  await person.answer(await person.event("interaction_request"), { action: "approve" });
  expect(await ended).toEqual({ ok: true, result: { ok: true } });
  expect(await operate("counter", "next", {})).toEqual({ ok: true, result: { count: 101 } });
  await person.close();
});

test("the form shown for questions is asked, and its rules are kept", async () => {
  const session = await post("/api/sessions", {});
  const person = await Client.connect(url, beckon.ownerToken);
  await person.subscribe(session.id);
  const ended = post("/api/plugins/questions/operations/ask", JSON.parse(form ?? ""), {
    "x-session-id": session.id,
  });
  const input = { from: "2026-12-02", to: "2026-12-01", city: "Oslo", again: "Olso" };
  const first = await person.event("interaction_request");
  await person.answer(first, { action: "submit", input });
  const second = await person.event("interaction_request", 2);
  expect(second.payload.fieldErrors).toEqual({
    to: "You cannot be back before.",
    again: "This must be the same as “City”.",
  });
  const answers = { ...input, to: "2026-12-05", again: "Oslo" };
  await person.answer(second, { action: "submit", input: answers });
  expect(await ended).toEqual({ ok: true, result: { ok: true, answers } });
  await person.close();
});

test("the commands shown run one after another", async () => {
  await inFolder(async (folder) => {
    const lines = `${newAndCheck}${skill}`.trim().split("\n");
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      const [command, ...args] = line.replace("my-notes", join(folder, "my-notes")).split(" ");
      expect(command).toBe("beckon");
      // A new plugin is made where one stands.
      const where = args[1] === "new" ? ["plugin", "new", "my-notes", "--dir", folder] : args;
      const said: string[] = [];
      const exitCode = await runCommand(where, {
        out: (text) => void said.push(text),
        err: (text) => void said.push(text),
        env: { BECKON_DATA: join(folder, "data") },
        stopSignal: () => new AbortController().signal,
      });
      expect(exitCode, said.join("\n")).toBe(0);
    }
  });
});

test("the plugin in TypeScript compiles against beckon/plugin, and a wrong one does not", async () => {
  await inFolder(async (folder) => {
    await installInto(folder);
    const compilerOptions = {
      strict: true,
      module: "NodeNext",
      target: "ES2023",
      types: [],
      skipLibCheck: true,
      noEmit: true,
    };
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions, files: ["index.ts", "wrong.ts"] }),
    );
    await writeFile(join(folder, "index.ts"), typescript ?? "");
    const wrong = (typescript ?? "")
      .replace("settings.endpoint", "settings.endpiont")
      .replace('type: "datetime"', 'type: "datum"')
      .replace("operations: {", "operation: {");
    await writeFile(join(folder, "wrong.ts"), wrong);
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const { stdout } = await run(process.execPath, [tsc, "--pretty", "false"], {
      cwd: folder,
    }).catch((error: { stdout: string }) => error);
    expect(stdout).not.toMatch(/^index\.ts/m);
    expect(stdout).toMatch(/^wrong\.ts.*endpiont/m);
    expect(stdout).toMatch(/^wrong\.ts.*(operation|No overload)/m);
  });
}, 60_000);
