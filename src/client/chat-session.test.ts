import { describe, expect, test } from "vitest";
import { LogWriter } from "../../test/support/log-writer.ts";
import { createFakeTransport, fakeSession } from "../testing/fake-transport.ts";
import { TransportError } from "../transport/index.ts";
import { createChatSession } from "./chat-session.ts";
import { emptyView, reduceAll } from "./reduce.ts";

const settled = () => new Promise<void>((resolve) => queueMicrotask(resolve));

/** A session that is followed, and how often its listeners were told. */
function follow(page?: number) {
  const transport = createFakeTransport();
  const session = createChatSession(transport, "s", page === undefined ? {} : { page });
  const told: number[] = [];
  session.subscribe(() => told.push(session.get().view.lastSeq));
  return { transport, session, told, writer: new LogWriter() };
}

function conversation(writer: LogWriter): void {
  for (let turns = 0; turns < 5; turns++) {
    const turn = writer.start(writer.message());
    writer.result(writer.call(turn));
    writer.end(turn);
  }
}

test("begins with the end of the log and is told of it once", async () => {
  const { transport, session, told, writer } = follow(10);
  conversation(writer);
  expect(session.get()).toMatchObject({ status: "loading", hasOlder: false });
  expect(transport.argumentsOf("subscribe")).toEqual([["s", { tail: 10 }]]);
  transport.start("s", { lastSeq: 25, from: 16 });
  for (const event of writer.log.slice(15, 24)) transport.send("s", event);
  await settled();
  expect(session.get()).toMatchObject({ status: "loading", view: { lastSeq: 0 } });
  transport.send("s", ...writer.log.slice(24));
  await settled();
  expect(session.get()).toMatchObject({
    status: "ready",
    hasOlder: true,
    view: { firstSeq: 16, lastSeq: 25 },
  });
  expect(told.filter((seq) => seq > 0)).toEqual([25]);
});

test("a new session is ready at once", async () => {
  const { transport, session } = follow();
  transport.start("s");
  expect(session.get()).toMatchObject({ status: "ready", hasOlder: false, session: { id: "s" } });
});

test("what comes in one go is told once, and nothing is told for nothing", async () => {
  const { transport, session, told, writer } = follow();
  transport.start("s");
  await settled();
  told.length = 0;
  conversation(writer);
  transport.send("s", ...writer.log);
  const before = session.get();
  expect(before.view.lastSeq).toBe(0);
  await settled();
  expect(told).toEqual([25]);
  expect(session.get().view).toEqual(reduceAll(emptyView("s"), writer.log));
  expect(session.get()).toBe(session.get());
  await settled();
  expect(told).toEqual([25]);
});

describe("older pages", () => {
  async function opened() {
    const all = follow(5);
    conversation(all.writer);
    all.transport.start("s", { lastSeq: 25, from: 21 });
    all.transport.send("s", ...all.writer.log.slice(20));
    await settled();
    return all;
  }

  test("are read on demand, once at a time, until there are none", async () => {
    const { transport, session, writer } = await opened();
    transport.script("events", (_id, { before = 0, limit = 0 }) => ({
      events: writer.log.slice(Math.max(0, before - 1 - limit), before - 1),
      lastSeq: 25,
      logId: "log",
    }));
    const [first, second] = [session.loadOlder(), session.loadOlder()];
    expect(session.get().isLoadingOlder).toBe(true);
    await Promise.all([first, second]);
    expect(transport.argumentsOf("events")).toEqual([["s", { before: 21, limit: 5 }]]);
    expect(session.get()).toMatchObject({ isLoadingOlder: false, view: { firstSeq: 16 } });
    for (let pages = 0; pages < 9; pages++) await session.loadOlder();
    expect(transport.argumentsOf("events")).toHaveLength(4);
    expect(session.get().hasOlder).toBe(false);
    expect(session.get().view).toEqual(reduceAll(emptyView("s"), writer.log));
  });

  test("that cannot be read can be tried again", async () => {
    const { transport, session, writer } = await opened();
    transport.script("events", new TransportError("unreachable", "Nobody answered."), {
      events: writer.log.slice(0, 20),
      lastSeq: 25,
      logId: "log",
    });
    await expect(session.loadOlder()).rejects.toMatchObject({ code: "unreachable" });
    expect(session.get()).toMatchObject({ isLoadingOlder: false, hasOlder: true });
    await session.loadOlder();
    expect(session.get().view.firstSeq).toBe(1);
  });

  test("of a log that began anew meanwhile are dropped", async () => {
    const { transport, session, writer } = await opened();
    let arrive!: () => void;
    transport.script("events", async () => {
      await new Promise<void>((resolve) => (arrive = resolve));
      return { events: writer.log.slice(0, 20), lastSeq: 25, logId: "log" };
    });
    const reading = session.loadOlder();
    await settled();
    const other = new LogWriter();
    other.message({ text: "Another log" });
    transport.start("s", { lastSeq: 1, logId: "other" });
    transport.send("s", ...other.log);
    arrive();
    await reading;
    expect(session.get().view).toEqual(reduceAll(emptyView("s"), other.log));
  });
});

test("when the server starts over, the old view stays until the new one is there", async () => {
  const { transport, session, writer } = follow();
  conversation(writer);
  transport.start("s", { lastSeq: 25, from: 2 });
  transport.send("s", ...writer.log.slice(1));
  transport.start("s", { lastSeq: 25, logId: "other" });
  transport.send("s", ...writer.log.slice(0, 10));
  await settled();
  expect(session.get()).toMatchObject({ status: "ready", view: { lastSeq: 25 } });
  await session.loadOlder();
  expect(transport.argumentsOf("events")).toEqual([]);
  transport.send("s", ...writer.log.slice(10));
  await settled();
  expect(session.get().view).toEqual(reduceAll(emptyView("s"), writer.log));
});

test("an open prompt is there though its event has not been read, and stays when it is answered", async () => {
  const { transport, session, writer } = follow();
  const prompt = writer.ask(writer.call(writer.start()));
  const cut = writer.log.length;
  writer.add("thinking", { text: "Hm." });
  const elsewhere = { ...writer.record(prompt), id: "x", sessionId: "other" };
  transport.list(writer.record(prompt), elsewhere);
  transport.start("s", { lastSeq: cut + 1, from: cut + 1 });
  transport.send("s", ...writer.log.slice(cut));
  await settled();
  const { view } = session.get();
  expect([...view.interactions.keys()]).toEqual([prompt]);
  expect(view.status).toBe("waiting");
  transport.update(writer.record(prompt, { status: "timed_out" }));
  transport.list();
  expect(session.get().view.interactions.get(prompt)).toMatchObject({ reason: "timed_out" });
});

test("an update that comes before its event shows the prompt once", async () => {
  const { transport, session, writer } = follow();
  transport.start("s");
  const turn = writer.start(writer.message());
  const call = writer.call(turn);
  transport.send("s", ...writer.log);
  await settled();
  const prompt = writer.ask(call);
  transport.update(writer.record(prompt));
  expect(session.get().view.pending).toEqual([prompt]);
  transport.send("s", ...writer.log.slice(3));
  await settled();
  expect(session.get().view).toEqual(reduceAll(emptyView("s"), writer.log));
});

test("a session that is deleted says so, and keeps saying so", async () => {
  const { transport, session } = follow();
  transport.start("s");
  transport.sessionDeleted("other");
  expect(session.get().status).toBe("ready");
  transport.sessionDeleted("s");
  transport.fail("s", { code: "session_not_found", error: "There is no such session." });
  transport.start("s");
  await settled();
  expect(session.get().status).toBe("deleted");
});

test("a log that cannot be followed says why", () => {
  const { transport, session } = follow();
  const error = { code: "session_not_found", error: "There is no such session." };
  transport.fail("s", error);
  expect(session.get()).toMatchObject({ status: "failed", error });
});

test("the session's record follows its updates", () => {
  const { transport, session } = follow();
  transport.start("s");
  transport.sessionUpdated(fakeSession("s", { title: "New title" }));
  transport.sessionUpdated(fakeSession("other", { title: "Not mine" }));
  expect(session.get().session?.title).toBe("New title");
});

test("closing ends everything that it follows", () => {
  const { transport, session } = follow();
  expect(transport.following).toBe(3);
  session.close();
  expect(transport.following).toBe(0);
});
