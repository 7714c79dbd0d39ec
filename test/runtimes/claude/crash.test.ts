import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  type FakeAnthropic,
  latest,
  says,
  startFakeAnthropic,
  toolUse,
} from "../../../src/testing/index.ts";
import { ServerProcess } from "../../process/server-process.ts";
import { COLOUR, SDK_PATH, Talk } from "./claude-house.ts";

let folder: string;
let model: FakeAnthropic;
let server: ServerProcess;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "beckon-claude-crash-"));
  for (const name of ["data", "work"]) mkdirSync(join(folder, name));
  model = await startFakeAnthropic();
  const claude = { sdkPath: SDK_PATH, settingSources: [], env: model.env(folder) };
  writeFileSync(join(folder, "data", "settings.json"), JSON.stringify({ agents: { claude } }));
  server = await ServerProcess.start(join(folder, "data"));
});
afterEach(async () => {
  await server.end("SIGKILL");
  await model.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function talkTo(sessionId: string): Promise<Talk> {
  const client = await server.person();
  await client.subscribe(sessionId);
  return new Talk(client, sessionId);
}

async function restart(): Promise<void> {
  await server.end("SIGKILL");
  server = await ServerProcess.start(join(folder, "data"));
}

async function newSession(): Promise<string> {
  const body = { agent: "claude", cwd: join(folder, "work") };
  return (await server.http("POST", "/api/sessions", body)).body.id;
}

/** What the model says to a process whose server is gone: it is told that nobody can be asked. */
const FORSAKEN = "Then not.";

const make = (id: string) => says(toolUse(id, "Bash", { command: "mkdir kept" }));

test("an approval given after kill -9 is adopted by the identical call, and nobody is asked twice", async () => {
  const id = await newSession();
  model.answer((request) => {
    const { results, text } = latest(request);
    if (results.some(({ toolUseId }) => toolUseId === "toolu_k2")) return says("Done at last.");
    if (text.includes("approved")) return make("toolu_k2");
    return results.length > 0 ? says(FORSAKEN) : make("toolu_k1");
  });
  const before = await talkTo(id);
  await before.say("make the folder");
  const asked = await before.prompt();
  await restart();
  const after = await talkTo(id);
  expect(await after.ended()).toBe("interrupted");
  await after.answer(asked, { action: "approve" });
  expect(await after.ended(2)).toBe("completed");
  expect(existsSync(join(folder, "work", "kept"))).toBe(true);
  expect(after.types().filter((type) => type === "interaction_request")).toHaveLength(1);
  expect((await after.result("toolu_k2")).ok).toBe(true);
  const resumed = model.requests.find(({ messages }) =>
    JSON.stringify(messages).includes("approved"),
  );
  expect(JSON.stringify(resumed?.messages)).toContain("make the folder");
});

test("an answer to questions given after kill -9 reaches the model as a message", async () => {
  const id = await newSession();
  model.answer((request) => {
    const { results, text } = latest(request);
    if (text.includes("Blue")) return says("Blue it is.");
    if (results.length > 0) return says(FORSAKEN);
    return says(toolUse("toolu_k3", "AskUserQuestion", { questions: [COLOUR] }));
  });
  const before = await talkTo(id);
  await before.say("ask me");
  const asked = await before.prompt();
  await restart();
  const after = await talkTo(id);
  await after.answer(asked, { action: "submit", input: { answers: { "0": "Blue" } } });
  expect(await after.ended(2)).toBe("completed");
  const texts = model.requests.map((request) => latest(request).text);
  expect(texts.find((text) => text.includes("Blue"))).toContain("Which colour?");
});
