import { describe, expect, test } from "vitest";
import { startFakeServer } from "../../test/support/fake-server.ts";
import { LIMITS } from "../protocol/index.ts";
import { SseBody } from "./sse-body.ts";

async function open(
  options: { headers?: Record<string, string>; query?: string; token?: "machine" } = {},
) {
  const started = await startFakeServer();
  const { request, core, clock } = started;
  core.append("one");
  core.append("two");
  const headers = { accept: "text/event-stream", ...options.headers };
  const token = options.token && started[options.token].token;
  const answer = await request(`/api/sessions/s1/events${options.query ?? ""}`, { headers, token });
  const reader = answer.body?.getReader();
  let text = "";
  let done = false;
  void (async () => {
    for (;;) {
      const chunk = await reader?.read();
      if (!chunk || chunk.done) break;
      text += new TextDecoder().decode(chunk.value);
    }
    done = true;
  })();
  await clock.settle();
  return { ...started, answer, reader, text: () => text, done: () => done };
}

const seqs = (text: string) => [...text.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]));

describe("an event stream", () => {
  test("sends the log with its seq as id, then what happens", async () => {
    const { answer, core, clock, text } = await open();
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    core.append("three");
    await clock.settle();
    expect(text()).toBe(
      [1, 2, 3].map((seq, at) => `id: ${seq}\ndata: ${core.log[at]?.json}\n\n`).join(""),
    );
  });

  test("resumes by Last-Event-ID, which counts more than the address", async () => {
    expect(seqs((await open({ query: "?after=1" })).text())).toEqual([2]);
    const resumed = await open({ query: "?after=0", headers: { "last-event-id": "1" } });
    expect(seqs(resumed.text())).toEqual([2]);
  });

  test("is refused as plain HTTP when it cannot begin", async () => {
    expect((await open({ headers: { "last-event-id": "x" } })).answer.status).toBe(400);
    const ahead = await open({ query: "?after=9" });
    expect(ahead.answer.status).toBe(409);
    expect(ahead.core.presence).toEqual([]);
  });

  test("beats while nothing happens", async () => {
    const { clock, text } = await open({ query: "?after=2" });
    await clock.advance(60_000);
    expect(text()).toBe(": still here\n\n".repeat(3));
  });

  test("means that its person is there until it ends; a machine never is", async () => {
    const { core, reader, clock } = await open();
    expect(core.presence).toMatchObject([{ enabled: true, open: true }]);
    await reader?.cancel();
    await clock.settle();
    expect(core.presence).toMatchObject([{ open: false }]);
    expect([core.openSubscriptions(), core.watchers.size]).toEqual([0, 0]);
    expect((await open({ token: "machine" })).core.presence).toEqual([]);
  });

  test("ends when its credential does, its session does, or the server does", async () => {
    const revoked = await open();
    await revoked.credentials.revokeToken(revoked.person.id);
    await revoked.clock.advance(500);
    expect(revoked.done()).toBe(true);

    const deleted = await open();
    await deleted.request("/api/sessions/s1", { method: "DELETE" });
    await deleted.clock.settle();
    expect(deleted.done()).toBe(true);

    const stopped = await open();
    stopped.server.close();
    await stopped.clock.settle();
    expect(stopped.done()).toBe(true);
  });

  test("is no stream for a HEAD, which could not end it", async () => {
    const { request, core } = await startFakeServer();
    const headers = { accept: "text/event-stream" };
    expect((await request("/api/sessions/s1/events", { method: "HEAD", headers })).status).toBe(
      200,
    );
    expect(core.presence).toEqual([]);
  });
});

describe("a stream's body", () => {
  const piece = "x".repeat(1024);

  test("ends once more live text waits than allowed; replayed text may wait", () => {
    let ends = 0;
    const body = new SseBody(LIMITS.queuedBytesPerClient, () => ends++);
    for (let count = 0; count < 2048; count++) body.send(piece, false);
    for (let count = 0; count < 1024; count++) body.send(piece, true);
    expect(ends).toBe(0);
    body.send("x", true);
    expect([ends, body.ended]).toEqual([1, true]);
  });

  test("tells when what was sent has been taken", async () => {
    const body = new SseBody(LIMITS.queuedBytesPerClient, () => {});
    const reader = body.stream.getReader();
    body.send("a", false);
    body.send("b", true);
    let drained = false;
    const waiting = body.drained().then(() => (drained = true));
    await reader.read();
    expect(drained).toBe(false);
    await reader.read();
    await waiting;
    expect(drained).toBe(true);
  });
});
