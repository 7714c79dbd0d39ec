import * as fc from "fast-check";
import { expect, test } from "vitest";
import { logViolations } from "../../test/support/log-violations.ts";
import { openIn, randomSession } from "../../test/support/random-log.ts";
import type { ChatEvent } from "../protocol/index.ts";
import { emptyView, prepend, reduce, reduceAll, withOpen } from "./reduce.ts";
import type { BlockView, ChatView } from "./view.ts";

const RUNS = Number(process.env["BECKON_VIEWS"] ?? 40);

function holds<Values extends [unknown, ...unknown[]]>(property: fc.IProperty<Values>): void {
  fc.assert(property, { numRuns: RUNS });
}

const replayed = (log: readonly ChatEvent[]) => reduceAll(emptyView("s"), log);

const blocksOf = (view: ChatView): BlockView[] => view.turns.flatMap((turn) => turn.blocks);

/** The prompts that each block shows. */
function promptsIn(view: ChatView, block: BlockView): string[] {
  if (block.kind === "questionnaire") return [block.interactionId];
  if (block.kind !== "tools") return [];
  return block.callIds
    .flatMap((id) => view.calls.get(id)?.interactionIds ?? [])
    .filter((id) => view.interactions.get(id)?.request.presentation === "tool");
}

function isStill(view: ChatView): boolean {
  const streams = blocksOf(view).some((block) => block.kind === "text" && block.streaming);
  return !streams && [...view.calls.values()].every((call) => call.output === "");
}

test("the generated logs are such as the server writes", () => {
  holds(
    fc.property(randomSession, ({ log }) => {
      const known = log.filter((event) => (event.type as string) !== "from_the_future");
      const renumbered = known.map((event, index) => Object.assign({}, event, { seq: index + 1 }));
      expect(logViolations(renumbered)).toEqual([]);
    }),
  );
});

test("heard live and replayed, a log gives the same view whenever nothing is streaming", () => {
  let compared = 0;
  holds(
    fc.property(randomSession, ({ sent }) => {
      let live = emptyView("s");
      const log: ChatEvent[] = [];
      for (const event of sent) {
        live = reduce(live, event);
        if ("seq" in event) log.push(event);
        if (!isStill(live)) continue;
        compared++;
        expect(live).toEqual(replayed(log));
      }
    }),
  );
  expect(compared).toBeGreaterThan(RUNS);
});

test("older pages that are put before give the view of the whole, however the log is cut", () => {
  holds(
    fc.property(randomSession, fc.array(fc.nat(120), { maxLength: 4 }), ({ log }, cuts) => {
      const edges = [0, ...cuts.map((cut) => Math.min(cut, log.length)), log.length];
      const pages = edges
        .sort((a, b) => a - b)
        .map((edge, index) => log.slice(edge, edges[index + 1]));
      const view = pages.reduceRight((after, page) => prepend(after, page), emptyView("s"));
      expect(view).toEqual(replayed(log));
    }),
  );
});

test("events that come twice or in another order change nothing in the end", () => {
  holds(
    fc.property(
      randomSession.chain((writer) =>
        fc.tuple(fc.constant(writer.log), fc.shuffledSubarray(writer.log), fc.nat()),
      ),
      ([log, some, start]) => {
        const from = log.length === 0 ? 0 : start % log.length;
        const resync = reduceAll(replayed(log), log.slice(from));
        expect(resync).toEqual(replayed(log));
        const rest = log.filter((event) => !some.includes(event));
        const shuffled = [...some, ...rest].reduce(reduce, emptyView("s"));
        expect(shuffled).toEqual(replayed(log));
      },
    ),
  );
});

test("every open prompt is shown by exactly one block, at every moment and from every cut", () => {
  let prompts = 0;
  holds(
    fc.property(randomSession, fc.nat(), ({ log }, cut) => {
      const parts = [log, log.slice(cut % (log.length + 1)), log.slice(0, cut % (log.length + 1))];
      for (const part of parts) {
        const view = replayed(part);
        const shown = blocksOf(view).flatMap((block) => promptsIn(view, block));
        for (const id of openIn(part)) {
          prompts++;
          expect(view.interactions.get(id)?.state).toBe("open");
          expect(shown.filter((one) => one === id)).toHaveLength(1);
        }
        expect(new Set(blocksOf(view).map((block) => block.id)).size).toBe(blocksOf(view).length);
        const shared = blocksOf(view).filter(
          (one) => one.kind === "tools" && one.callIds.length > 1,
        );
        expect(shared.flatMap((block) => promptsIn(view, block))).toEqual([]);
      }
    }),
  );
  expect(prompts).toBeGreaterThan(RUNS);
});

test("a prompt that only the server lists is shown once, and in its place when its event comes", () => {
  holds(
    fc.property(randomSession, fc.nat(), (writer, cut) => {
      const { log } = writer;
      const from = cut % (log.length + 1);
      const records = [...openIn(log)].map((id) =>
        writer.record(id, { waiting: waitingIn(log, id) }),
      );
      const tail = withOpen(replayed(log.slice(from)), records);
      const shown = blocksOf(tail).flatMap((block) => promptsIn(tail, block));
      for (const id of openIn(log)) expect(shown.filter((one) => one === id)).toEqual([id]);
      expect(tail.pending.toSorted()).toEqual(replayed(log).pending.toSorted());
      expect(withOpen(tail, records)).toBe(tail);
      expect(prepend(tail, log.slice(0, from))).toEqual(replayed(log));
      const head = withOpen(replayed(log.slice(0, from)), records);
      const headShows = blocksOf(head).flatMap((block) => promptsIn(head, block));
      for (const { id } of records) expect(headShows.filter((one) => one === id)).toEqual([id]);
      expect(log.slice(from).reduce(reduce, head)).toEqual(replayed(log));
    }),
  );
});

function waitingIn(log: ChatEvent[], id: string): "live" | "queued" | "orphaned" {
  const last = log.findLast(
    (event) => event.type === "interaction_pending" && event.payload.interactionId === id,
  );
  if (last?.type !== "interaction_pending") return "live";
  return last.payload.queued ? "queued" : last.payload.orphaned ? "orphaned" : "live";
}

test("an event changes only what it touches", () => {
  holds(
    fc.property(randomSession, ({ sent }) => {
      let view = emptyView("s");
      for (const event of sent) {
        const next = reduce(view, event);
        const changed = next.turns.filter((turn) => !view.turns.includes(turn));
        // A message that gets its turn is all that touches two.
        expect(changed.length).toBeLessThanOrEqual(1);
        const before = new Map(blocksOf(view).map((block) => [block.id, block]));
        const copied = blocksOf(next).filter((block) => isCopy(before.get(block.id), block));
        expect(copied).toEqual([]);
        view = next;
      }
    }),
  );
});

test("no event that a newer server may send makes it throw", () => {
  holds(
    fc.property(randomSession, fc.string(), fc.object(), ({ sent }, type, more) => {
      const strange = sent.map((event, index) =>
        index % 4 === 0
          ? { ...event, type, payload: more }
          : { ...event, ...more, ...event, payload: { ...more, ...event.payload } },
      );
      expect(() => reduceAll(emptyView("s"), strange as ChatEvent[])).not.toThrow();
    }),
  );
});

/** The same content in another object: a screen would draw it again for nothing. */
function isCopy(before: BlockView | undefined, block: BlockView): boolean {
  return before !== block && JSON.stringify(before) === JSON.stringify(block);
}
