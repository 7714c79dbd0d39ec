import { expect, test } from "vitest";
import { isLostConnection } from "./failures.ts";

const errorOf = (code: string) => Object.assign(new Error(code), { code });

test.each(["EPIPE", "ECONNRESET", "ETIMEDOUT", "57P01", "08006", "25006"])(
  "%s is a connection that is lost",
  (code) => expect(isLostConnection(errorOf(code))).toBe(true),
);

test.each(["40001", "23505", "P0001", "XX000", "57014"])(
  "%s is said by a server that is there",
  (code) => expect(isLostConnection(errorOf(code))).toBe(false),
);

test("an error of the driver, which has no code, is a connection that is of no use", () => {
  expect(isLostConnection(new Error("Query read timeout"))).toBe(true);
});
