import { expect, test } from "vitest";
import { onDemand } from "./on-demand.ts";

class Counter {
  count = 0;

  add(by: number): number {
    return (this.count += by);
  }
}

const counterOf = onDemand<Counter, { readonly count: number; add: (by: number) => number }>({
  count: (counter) => counter.count,
  add: (counter) => (by) => counter.add(by),
});

test("methods can be destructured, and what is read is as it is then", () => {
  const object = counterOf({ name: "one" }, new Counter());
  const { add, name } = object;
  expect([name, add(2), add(3), object.count]).toEqual(["one", 2, 5, 5]);
});

test("the object can be spread, derived, wrapped and changed like a literal", () => {
  const object = counterOf({ name: "one" }, new Counter());
  expect(Object.keys(object)).toEqual(["name", "count", "add"]);
  expect({ ...object, name: "two" }.add(1)).toBe(1);
  expect((Object.create(object) as typeof object).add(1)).toBe(2);
  expect(new Proxy(object, {}).add(1)).toBe(3);
  object.add = () => -1;
  expect([object.add(1), object.count]).toEqual([-1, 3]);
});

test("each object has a state of its own", () => {
  const [one, other] = [counterOf({}, new Counter()), counterOf({}, new Counter())];
  one.add(1);
  expect([one.count, other.count]).toEqual([1, 0]);
});
