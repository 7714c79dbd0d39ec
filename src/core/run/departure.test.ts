import { expect, test } from "vitest";
import { Departure } from "./departure.ts";
import { never } from "./never.ts";

test("work that ends first is what one hears of", async () => {
  const departure = new Departure();
  expect(await departure.until(Promise.resolve("done"))).toBe("done");
  await expect(departure.until(Promise.reject(new Error("failed")))).rejects.toThrow("failed");
});

test("whoever waits for work that never ends is let go by the departure", async () => {
  const departure = new Departure();
  const waiting = departure.until(never());
  departure.leave();
  expect(await waiting).toBeUndefined();
  expect(await departure.until(never())).toBeUndefined();
});

test("who has stopped listening hears nothing", () => {
  const departure = new Departure();
  const heard: string[] = [];
  departure.hear(() => heard.push("stays"));
  departure.hear(() => heard.push("stops"))();
  departure.leave();
  departure.leave();
  expect(heard).toEqual(["stays"]);
});
