import { expect, test } from "vitest";
import { objectsOf } from "./json-lines.ts";

async function* lines() {
  yield* ['{"a":1}', "", "not JSON", "12", "null", '{"b":', '{"c":{}}'];
}

test("a line that is no object is passed over", async () => {
  const objects: unknown[] = [];
  for await (const object of objectsOf(lines())) objects.push(object);
  expect(objects).toEqual([{ a: 1 }, { c: {} }]);
});
