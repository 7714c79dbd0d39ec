import { expect, test } from "vitest";
import { createSealing } from "./sealing.ts";

test("what is sealed for a process only that process can open", () => {
  const [one, other] = [createSealing(), createSealing()];
  const sealed = one.seal(other.publicKey, "hünter2");
  expect(other.open(sealed)).toBe("hünter2");
  expect(one.open(sealed)).toBeUndefined();
  expect(sealed).not.toContain("nter2");
});

test("what was changed on the way, or is nothing that was sealed, is not opened", () => {
  const sealing = createSealing();
  const sealed = sealing.seal(sealing.publicKey, "hunter2");
  const last = sealed.at(-2) === "A" ? "B" : "A";
  expect(sealing.open(`${sealed.slice(0, -2)}${last}${sealed.slice(-1)}`)).toBeUndefined();
  for (const wrong of ["", ".", "a.b", sealed.split(".")[0] ?? ""]) {
    expect(sealing.open(wrong)).toBeUndefined();
  }
});

test("the same text is never sealed the same", () => {
  const sealing = createSealing();
  const seal = () => sealing.seal(sealing.publicKey, "x");
  expect(seal()).not.toBe(seal());
});
