import { expect, test } from "vitest";
import { grant, interaction, response } from "./interaction-rows.ts";
import { session } from "./rows.ts";
import { addSession, type Subject, textEvent } from "./subject.ts";
import { insert, update, write } from "./writes.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

export function raceTests(subject: Subject): void {
  test("of fifty that answer one prompt the first wins and the others see its answer", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    await write(store, insert("interactions", interaction("i1")));
    const results = await Promise.all(
      numbers(50).map((n) =>
        store.commit({
          sessionId: "s1",
          writes: [
            update("interactions", "i1", 1, {
              status: "answered",
              decidedResponseId: `answer-${n}`,
            }),
            insert("responses", response(`answer-${n}`)),
          ],
          events: [textEvent(`event-${n}`)],
        }),
      ),
    );
    const winners = results.filter((result) => result.ok);
    expect(winners).toHaveLength(1);
    const stored = await store.interaction("i1");
    const losers = results.filter((result) => !result.ok);
    expect(losers).toEqual(
      losers.map(() => ({
        ok: false,
        reason: "conflict",
        table: "interactions",
        id: "i1",
        current: stored,
      })),
    );
    const winner = `answer-${results.findIndex((result) => result.ok) + 1}`;
    expect(stored).toMatchObject({ decidedResponseId: winner, version: 2 });
    const responses = await Promise.all(
      numbers(50).map((n) => store.response("i1", `answer-${n}`)),
    );
    expect(responses.filter(Boolean)).toHaveLength(1);
    expect(await store.events({ sessionId: "s1", limit: 100 })).toHaveLength(1);
  });

  test("of fifty that insert one row the first wins", async () => {
    const { store } = subject();
    const results = await Promise.all(
      numbers(50).map((n) =>
        store.commit({
          writes: [insert("sessions", session("s1", { title: `${n}` }))],
          events: [],
        }),
      ),
    );
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    const winner = results.findIndex((result) => result.ok) + 1;
    expect(await store.session("s1")).toMatchObject({ title: `${winner}`, version: 1 });
  });

  test("fifty commits at once number the log without gap or repeat", async () => {
    const { store } = subject();
    await addSession(store, "s1");
    const results = await Promise.all(
      numbers(50).map((n) =>
        store.commit({
          sessionId: "s1",
          writes: [],
          events: numbers((n % 3) + 1).map((part) => textEvent(`${n}-${part}`, `${n}`)),
        }),
      ),
    );
    const events = await store.events({ sessionId: "s1", limit: 1_000 });
    expect(events.map((event) => event.seq)).toEqual(numbers(events.length));
    expect(Math.max(...results.map((result) => (result.ok ? result.lastSeq : 0)))).toBe(
      events.length,
    );
    for (const [index, result] of results.entries()) {
      const mine = events.filter((event) => event.id.startsWith(`${index + 1}-`));
      expect(result).toEqual({ ok: true, lastSeq: mine.at(-1)?.seq });
      expect(mine.at(-1)!.seq - mine[0]!.seq).toBe(mine.length - 1);
    }
  });

  test("fifty who read, decide and commit again all get their turn", async () => {
    const { store } = subject();
    await write(store, insert("grants", grant("g1")));
    const useOnce = async (): Promise<void> => {
      for (;;) {
        const row = await store.grant("g1");
        const writes = [update("grants", "g1", row!.version, { uses: row!.uses + 1 })];
        if ((await store.commit({ writes, events: [] })).ok) return;
      }
    };
    await Promise.all(numbers(50).map(useOnce));
    expect(await store.grant("g1")).toMatchObject({ uses: 50, version: 51 });
  });

  test("what a commit wrote is there to read when it resolves", async () => {
    const { store } = subject();
    const seen = await Promise.all(
      numbers(20).map(async (n) => {
        await write(store, insert("grants", grant(`g${n}`)));
        return store.grant(`g${n}`);
      }),
    );
    expect(seen).toEqual(numbers(20).map((n) => grant(`g${n}`)));
  });
}
