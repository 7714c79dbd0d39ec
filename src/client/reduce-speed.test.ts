import { expect, test } from "vitest";
import { LogWriter } from "../../test/support/log-writer.ts";
import { emptyView, reduce, reduceAll } from "./reduce.ts";

/** What a page may take on a machine that does nothing else; a test fails only at ten times that. */
const BUILD_MS = 200;
const DELTA_MS = 4;

function longLog(): { writer: LogWriter; turn: string } {
  const writer = new LogWriter();
  for (let events = 0; events < 10_000; events += 17) {
    const turn = writer.start(writer.message());
    for (let call = 0; call < 3; call++) writer.result(writer.call(turn));
    const asking = writer.call(turn);
    writer.answer(writer.ask(asking));
    writer.result(asking);
    writer.add("text", { text: "Done." }, turn);
    writer.add("thinking", { text: "Hm." }, turn);
    writer.end(turn);
  }
  return { writer, turn: writer.start(writer.message()) };
}

test("a log of 10,000 events is quickly a view, and a piece of text costs next to nothing", () => {
  const { writer, turn } = longLog();
  expect(writer.log.length).toBeGreaterThan(10_000);
  const start = performance.now();
  let view = reduceAll(emptyView("s"), writer.log);
  expect(performance.now() - start).toBeLessThan(10 * BUILD_MS);
  const times = Array.from({ length: 101 }, (_, index) => {
    const payload = { blockId: "b", offset: index * 5, text: "piece" };
    const before = performance.now();
    view = reduce(view, {
      type: "text_delta",
      sessionId: "s",
      timestamp: "",
      turnId: turn,
      payload,
    });
    return performance.now() - before;
  });
  expect(times.sort((a, b) => a - b)[95]).toBeLessThan(10 * DELTA_MS);
});
