import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { InboxPerson } from "../support/inbox-person.ts";
import { BIN, killAll, ServerProcess } from "./server-process.ts";

const PATH = [process.env["PATH"], join(dirname(BIN), "path")].join(delimiter);

let folder: string;
let data: string;
let server: ServerProcess;
let person: InboxPerson;
let children: ChildProcess[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "beckon-script-"));
  data = join(folder, "data");
  children = [];
  await serve();
});
afterEach(async () => {
  for (const child of children) killAll(child);
  await server.end("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

async function serve() {
  server = await ServerProcess.start(data);
  person = await InboxPerson.connect(server.url, server.token);
}

/** Starts a program in a process group of its own, as a terminal does. */
function start(command: string, ...args: string[]) {
  const child = spawn(command, args, {
    cwd: folder,
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, PATH, BECKON_DATA: data },
  });
  children.push(child);
  const said = { stdout: "", stderr: "" };
  const heard = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name].on("data", (piece: Buffer) => {
      said[name] += piece.toString();
      for (const wake of heard) wake();
    });
  }
  const done = once(child, "close").then(([code]) => ({ code: code as number | null, ...said }));
  /** When it has said this, on either. */
  const until = (words: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => (said.stdout + said.stderr).includes(words) && resolve();
      heard.add(look);
      look();
      void done.then(() => reject(new Error(`It ended without ${words}: ${JSON.stringify(said)}`)));
    });
  return { child, done, until };
}

const submit = (answer: string) => ({ action: "submit", input: { answer } });

const SCRIPT = `
VERSION=$(beckon ask "Which version?" --key "version of today") || exit
beckon confirm "Publish $VERSION?" --key "publish $VERSION" || exit
echo "published $VERSION"
`;

describe("a script that is run again with the same keys", () => {
  beforeEach(() => writeFileSync(join(folder, "release.sh"), SCRIPT));

  test("gets the answer that was given while it was dead", async () => {
    const killed = start("sh", "release.sh");
    const version = await person.next();
    await killed.until("Waiting");
    killAll(killed.child);
    await killed.done;
    await person.answer(version, submit("1.2.0"));

    const second = start("sh", "release.sh");
    const publish = await person.next();
    expect(publish.request.prompt).toBe("Publish 1.2.0?");
    killAll(second.child);
    await second.done;
    await person.answer(publish, { action: "approve" });

    expect(await start("sh", "release.sh").done).toMatchObject({
      code: 0,
      stdout: "published 1.2.0\n",
    });
    expect((await server.http("GET", "/api/interactions")).body.interactions).toEqual([]);
  });

  test("gets it over a server that was killed in between as well", async () => {
    const killed = start("sh", "release.sh");
    const version = await person.next();
    await killed.until("Waiting");
    await server.end("SIGKILL");
    killAll(killed.child);
    await serve();
    await person.answer(await person.next(), submit("1.3.0"));
    await server.end("SIGKILL");

    await serve();
    const again = start("sh", "release.sh");
    const publish = await person.say({ action: "deny", reason: "Not yet." });
    expect(publish.id).not.toBe(version.id);
    expect(await again.done).toMatchObject({
      code: 3,
      stdout: "",
      stderr: expect.stringContaining("Denied by Owner: “Not yet.”"),
    });
  });

  test("needs no second run when only the server was killed", async () => {
    const running = start("sh", "release.sh");
    await person.next();
    await running.until("Waiting");
    await server.end("SIGKILL");
    await running.until("The server is away");
    await serve();
    await person.say(submit("2.0.0"));
    await person.say({ action: "approve" });
    const { code, stdout, stderr } = await running.done;
    expect({ code, stdout }).toEqual({ code: 0, stdout: "published 2.0.0\n" });
    expect(stderr).not.toMatch(/warning/i);
  });
});

describe("in a real terminal", () => {
  // Ctrl+C goes to the shell as well, and without a trap some shells end with their command.
  const terminal = (line: string) =>
    start("script", "-qec", `trap : INT; ${line}; echo "ended with $?"`, "/dev/null");

  test("Ctrl+C ends a question with 130 and leaves it open", async () => {
    const shown = terminal('beckon ask "Which?"');
    const { id } = await person.next();
    await shown.until("Waiting");
    shown.child.stdin.write("\u0003");
    const { stdout } = await shown.done;
    expect(stdout).toContain(`"beckon wait ${id}"`);
    expect(stdout).toContain("ended with 130");
    const waiting = terminal(`beckon wait ${id}`);
    await server.http("POST", `/api/interactions/${id}/respond`, submit("red\u001b[2J"));
    const { stdout: end } = await waiting.done;
    expect(end).toContain("red\\u{1B}[2J\r\n");
    expect(end).not.toContain("\u001b");
    expect(end).toContain("ended with 0");
  });

  test("a question ends with 124 when nobody answers, and with 3 when somebody says no", async () => {
    const late = terminal('beckon confirm "Now?" --timeout 1s');
    const no = terminal('beckon confirm "Then?"');
    const prompts = [await person.next(), await person.next()];
    const then = prompts.find(({ request }) => request.prompt === "Then?");
    if (then) await person.answer(then, { action: "deny" });
    expect((await no.done).stdout).toContain("ended with 3");
    const { stdout } = await late.done;
    expect(stdout).toContain("Nobody answered in time.");
    expect(stdout).toContain("ended with 124");
  });
});

test("SIGTERM ends a question with 130 too, and never with 0", async () => {
  const running = start("beckon", "confirm", "Sure?");
  await person.next();
  await running.until("Waiting");
  running.child.kill("SIGTERM");
  expect((await running.done).code).toBe(130);
});

test("a command whose words nobody reads ends as it would have ended", async () => {
  const running = start("beckon", "confirm", "Sure?");
  running.child.stderr.destroy();
  await person.say({ action: "approve" });
  expect((await running.done).code).toBe(0);
});
