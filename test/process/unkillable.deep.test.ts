import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { openEffects } from "../../examples/unkillable/release/effects.js";
import { codeIn, readHere } from "../support/guide-folder.ts";
import { type Facts, judge } from "../../examples/unkillable/report.js";

const data = mkdtempSync(join(tmpdir(), "beckon-unkillable-"));
afterAll(() => rmSync(data, { recursive: true, force: true }));

const DEMO = fileURLToPath(new URL("../../examples/unkillable/main.js", import.meta.url));

test("a release of five prompts outlives six kills: nothing lost, nothing done or asked twice", async () => {
  const shown = codeIn(await readHere("docs/guide/unkillable.md"), "sh").at(-1) ?? "";
  const [, flags = ""] = /^npm run demo:unkillable -- (.*)\n$/.exec(shown) ?? [];
  const sooner = "--kills 6 --kill-by-the-log --think 0 --work 120";
  const args = [DEMO, ...`${flags} ${sooner}`.split(" "), "--data", data];
  const demo = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(demo, "exit");
  const [said, complaints] = await Promise.all([text(demo.stdout), text(demo.stderr)]);
  const [code] = (await ended) as [number | null];
  expect({ code, complaints }, said).toEqual({ code: 0, complaints: "" });
  const value = (label: string) => Number(new RegExp(`^ +${label} +(\\d+)`, "m").exec(said)?.[1]);
  expect(value("kills")).toBeGreaterThanOrEqual(6);
  expect(value("questions asked twice")).toBe(0);
  expect(value("answers accepted")).toBe(value("prompts"));
  expect(value("effects")).toBe(5 * value("releases"));
  expect(value("asked again, wrong value")).toBe(value("releases"));
  expect(value("secret found")).toBe(0);
  const effects = readFileSync(join(data, "plugins", "release", "effects.jsonl"), "utf8");
  const build = effects.split("\n").find((line) => line.includes('"name":"build"'));
  // The person typed these beside a wrong tag, and then only the tag again.
  expect(JSON.parse(build ?? "")).toMatchObject({
    channel: "beta",
    share: 25,
    notes: "Typed once.",
  });
}, 120_000);

test("an effect whose step is begun again finds its line and does not write another", async () => {
  const folder = mkdtempSync(join(data, "effects-"));
  const effect = { name: "tag", version: "1.4.0" };
  const reply = await openEffects(folder).once("r:tag", effect, 0);
  expect(await openEffects(folder).once("r:tag", effect, 0)).toEqual(reply);
  await openEffects(folder).once("r:build", effect, 0);
  const lines = readFileSync(join(folder, "effects.jsonl"), "utf8").trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).key)).toEqual(["r:tag", "r:build"]);
});

/** A run with one wrong value and one lost secret, as the log and the files tell it. */
function goodRun(): Facts {
  const events: any[] = [];
  const records: any[] = [];
  const add = (type: string, payload: object) =>
    events.push({ seq: events.length + 1, type, payload });
  const ask = (prompt: string, more: { request?: object; response?: object } = {}) => {
    const interactionId = `i${records.length}`;
    const response = { interactionId, answerId: `a${records.length}`, ...more.response };
    add("interaction_request", {
      toolCallId: "c",
      interactionId,
      prompt,
      attempt: 1,
      ...more.request,
    });
    add("interaction_response", response);
    records.push({ id: interactionId, status: "answered", response: { ...response } });
  };
  add("tool_call", { toolCallId: "c", input: { version: "1.4.0" } });
  ask("Release?");
  ask("What?");
  ask("What?", { request: { attempt: 2, error: "Wrong.", fieldErrors: { tag: "Wrong." } } });
  ask("Publish", { response: { secretFields: ["token"] } });
  ask("Publish", {
    request: { attempt: 2, error: "Lost." },
    response: { secretFields: ["token"] },
  });
  add("tool_result", { toolCallId: "c", ok: true, result: { released: true } });
  add("turn_end", { status: "completed" });
  const names = ["tag", "build", "changelog", "publish", "announce"];
  return {
    events,
    records,
    effects: names.map((name) => ({ key: `r:${name}`, name, version: "1.4.0" })),
    begun: ["r:tag new", "r:tag done", ...names.slice(1).map((name) => `r:${name} new`)],
    lives: [
      { what: "started", pid: 1, how: "" },
      { what: "killed", pid: 1, how: "" },
      { what: "ended", pid: 1, how: "SIGKILL" },
      { what: "started", pid: 2, how: "" },
    ],
    secrets: { searched: 1, files: 9, foundIn: [] },
    wantedKills: 1,
  };
}

/** Which lines of the report say that something did not hold. */
function brokenIn(facts: Facts): string[] {
  return judge(facts).flatMap(({ label, ok }) => (ok ? [] : [label]));
}

const find = ({ events }: Facts, type: string, index = 0) =>
  events.filter((event) => event.type === type)[index];

test("the report finds nothing wrong with a run in which all was well", () => {
  const rows = judge(goodRun());
  expect(rows.filter(({ ok }) => !ok)).toEqual([]);
  const value = (label: string) => rows.find((row) => row.label.trim() === label)?.value;
  expect(value("asked again, wrong value")).toBe("1");
  expect(value("asked again, secret lost")).toBe("1");
  expect(value("begun again")).toBe("1");
});

test.each<[string, string, (facts: Facts) => void]>([
  ["fewer kills than wanted", "kills", (facts) => (facts.wantedKills = 2)],
  ["a kill that ended nothing", "kills", ({ lives }) => lives.splice(2, 1)],
  ["a call that failed", "releases", (facts) => (find(facts, "tool_result").payload.ok = false)],
  [
    "a turn that was interrupted",
    "releases",
    (facts) => {
      find(facts, "turn_end").payload.status = "interrupted";
    },
  ],
  [
    "a prompt that closed",
    "prompts",
    (facts) => {
      facts.events.push({ seq: facts.events.length + 1, type: "interaction_closed", payload: {} });
    },
  ],
  [
    "two answers to one prompt",
    "answers accepted",
    (facts) => {
      const second = { ...find(facts, "interaction_response"), seq: facts.events.length + 1 };
      facts.events.push(second);
    },
  ],
  [
    "a record with another answer than the log",
    "answers accepted",
    (facts) => {
      facts.records[0].response.answerId = "another";
    },
  ],
  [
    "a question that comes again without a reason",
    "questions asked twice",
    (facts) => {
      find(facts, "interaction_request", 1).payload.prompt = "Release?";
    },
  ],
  [
    "a next attempt that does not say why",
    "questions asked twice",
    (facts) => {
      delete find(facts, "interaction_request", 2).payload.error;
    },
  ],
  [
    "a next attempt as if for a secret, after an answer that had none",
    "questions asked twice",
    (facts) => {
      delete find(facts, "interaction_request", 2).payload.fieldErrors;
    },
  ],
  ["an effect done twice", "effects", ({ effects }) => effects.push({ ...effects[0]!, key: "x" })],
  ["an effect that is missing", "effects", ({ effects }) => effects.pop()],
  ["a gap in the log", "events in the log", (facts) => (find(facts, "turn_end").seq = 99)],
  ["a secret in a file", "secret found", ({ secrets }) => secrets.foundIn.push("beckon.db")],
])("the report points at %s", (_what, label, spoil) => {
  const facts = goodRun();
  spoil(facts);
  expect(brokenIn(facts)).toEqual([label]);
});
