import { expect, test } from "vitest";
import { Followed } from "./listeners.ts";
import { promptOf, type Subject } from "./subject.ts";

const seqs = (followed: Followed) => followed.events.map(({ seq }) => seq);
const upTo = (last: number, first = 1) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

export function logTests(subject: Subject): void {
  /** A session in which two turns have ended, and who heard all of it. */
  async function story() {
    const conversation = await subject().conversation();
    const { transport, sessionId, followed } = conversation;
    for (const turn of [1, 2]) {
      await transport.sendMessage(sessionId, { text: `Turn ${turn}` });
      await followed.nth("turn_end", turn);
    }
    return { ...conversation, last: followed.events.length };
  }

  test("are heard from their start, live, each event once and in order", async () => {
    const { followed, sessionId, last } = await story();
    expect(followed.starts).toEqual([
      {
        session: expect.objectContaining({ id: sessionId }),
        lastSeq: expect.any(Number),
        logId: expect.any(String),
        from: 0,
      },
    ]);
    expect(seqs(followed)).toEqual(upTo(last));
    expect(followed.events).toEqual(await subject().log(sessionId));
  });

  test("that are replayed equal what was heard live", async () => {
    const { transport, followed, sessionId, last } = await story();
    const replayed = new Followed();
    transport.subscribe(sessionId, {}, replayed);
    await replayed.until(() => replayed.events.length === last);
    expect(replayed.events).toEqual(followed.events);
  });

  test("are heard after a cursor, or from near their end", async () => {
    const { followed, sessionId, last } = await story();
    const [after, tail, whole] = [new Followed(), new Followed(), new Followed()];
    subject().connect().subscribe(sessionId, { after: 3 }, after);
    subject().connect().subscribe(sessionId, { tail: 2 }, tail);
    subject().connect().subscribe(sessionId, { tail: 1_000 }, whole);
    await after.until(() => after.events.length === last - 3);
    await tail.until(() => tail.events.length === 2);
    await whole.until(() => whole.events.length === last);
    expect(after.events).toEqual(followed.events.slice(3));
    expect(tail.events).toEqual(followed.events.slice(-2));
    expect(after.starts[0]).toMatchObject({ from: 3, lastSeq: last });
    expect(tail.starts[0]).toMatchObject({ from: last - 2, lastSeq: last });
    expect(whole.starts[0]).toMatchObject({ from: 0 });
  });

  test("can be followed from several places by one client at once", async () => {
    const { transport, sessionId, followed, last } = await story();
    const [tail, longer, after] = [new Followed(), new Followed(), new Followed()];
    transport.subscribe(sessionId, { tail: 1 }, tail);
    transport.subscribe(sessionId, { tail: 3 }, longer);
    transport.subscribe(sessionId, { after: 1 }, after);
    await transport.sendMessage(sessionId, { text: "Turn 3" });
    for (const one of [tail, longer, after, followed]) {
      await one.until(() => one.events.at(-1)?.type === "turn_end" && one.events.length > 3);
    }
    const end = (await subject().log(sessionId)).length;
    await tail.until(() => tail.events.at(-1)?.seq === end);
    for (const one of [tail, longer, after, followed]) {
      await one.until(() => one.events.at(-1)?.seq === end);
      expect(one.starts).toHaveLength(1);
    }
    expect(seqs(tail)).toEqual(upTo(end, (tail.starts[0]?.from ?? 0) + 1));
    expect(seqs(longer)).toEqual(upTo(end, (longer.starts[0]?.from ?? 0) + 1));
    expect(longer.starts[0]?.from).toBeGreaterThanOrEqual(last - 3);
    expect(seqs(after)).toEqual(upTo(end, 2));
    expect(seqs(followed)).toEqual(upTo(end));
  });

  test("are no longer heard by who let go of them", async () => {
    const { transport, sessionId, followed } = await subject().conversation();
    const other = new Followed();
    const stop = transport.subscribe(sessionId, {}, other);
    await other.until(() => other.starts.length > 0);
    stop();
    stop();
    await transport.sendMessage(sessionId, { text: "Hello" });
    await followed.nth("turn_end");
    expect(other.events).toEqual([]);
  });

  test("are begun anew for a cursor that they do not have", async () => {
    const { sessionId, last } = await story();
    const followed = new Followed();
    subject()
      .connect()
      .subscribe(sessionId, { after: last + 1_000 }, followed);
    await followed.until(() => followed.events.length === last);
    expect(followed.starts.at(-1)).toMatchObject({ from: 0, lastSeq: last });
    expect(seqs(followed)).toEqual(upTo(last));
  });

  test("of a session that is not there, or no more, fail", async () => {
    const { transport, sessionId, followed } = await subject().conversation();
    const nowhere = new Followed();
    transport.subscribe("nowhere", {}, nowhere);
    await nowhere.until(() => nowhere.failures.length > 0);
    expect(nowhere.failures).toEqual([
      { code: "session_not_found", error: expect.stringMatching(/\w+ \w+/) },
    ]);
    await subject().witness().deleteSession(sessionId);
    await followed.until(() => followed.failures.length > 0);
    expect(followed.failures[0]?.code).toBe("session_not_found");
  });

  test("go on after a broken line without a gap or a repeat", async () => {
    const { transport, sessionId, followed, last } = await story();
    const witness = subject().witness();
    const seen = new Followed();
    witness.subscribe(sessionId, {}, seen);
    for (const turn of [3, 4, 5]) {
      subject().subject.mute();
      await witness.sendMessage(sessionId, { text: `Turn ${turn}` });
      await seen.nth("turn_end", turn);
      subject().subject.cut();
      await followed.nth("turn_end", turn);
    }
    expect(followed.events.length).toBeGreaterThan(last);
    expect(followed.events).toEqual(await subject().log(sessionId));
    expect(followed.starts).toHaveLength(1);
    await transport.sendMessage(sessionId, { text: "Turn 6" });
    await followed.nth("turn_end", 6);
  });

  test("go on after a restart of the server, with the prompt that was open", async () => {
    const { transport, sessionId, followed, prompt } = await subject().prompt("contract_approval");
    await subject().subject.down();
    await subject().subject.up();
    expect(await transport.respond(prompt, { action: "approve" })).toEqual({ ok: true });
    await followed.nth("turn_end");
    expect(followed.events).toEqual(await subject().log(sessionId));
    expect(followed.starts).toHaveLength(1);
    expect(await promptOf(followed)).toEqual(prompt);
  });
}
