import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { CallEnd } from "../call/tool.ts";
import { OwnCalls } from "./own-calls.ts";

/** Own calls that are stored and executed at once, each under a number. */
function calls() {
  const begun: string[] = [];
  const executed: string[] = [];
  const ids = { digest: (text: string) => createHash("sha256").update(text).digest("hex") };
  const own = new OwnCalls<string>(
    { ids: { ...ids, next: () => "" } },
    {
      async begin({ nativeId = "none", toolName, input }) {
        begun.push(`${nativeId}: ${toolName} ${JSON.stringify(input)}`);
        return String(begun.length);
      },
      async execute(one) {
        executed.push(await one);
        return { ok: true, result: await one } satisfies CallEnd;
      },
    },
  );
  return { own, begun, executed };
}

const ask = { toolName: "ask_user", input: { question: "Which?" } };
const other = { toolName: "ask_user", input: { question: "What else?" } };

test.each(["told first", "made first"])("both halves of a call are one: %s", async (order) => {
  const { own, begun, executed } = calls();
  const tell = () => own.told({ nativeId: "a", ...ask }).begun;
  const make = () => own.make({ nativeId: "a", ...ask });
  if (order === "told first") await tell();
  expect(await make()).toEqual({ ok: true, result: "1" });
  expect(await tell()).toBe("1");
  expect([begun.length, executed]).toEqual([1, ["1"]]);
});

test("of two equal calls each keeps its id, in whatever order their halves come", async () => {
  const { own, begun, executed } = calls();
  const first = own.told({ nativeId: "a", ...ask });
  await own.make({ nativeId: "b", ...ask });
  await own.make({ nativeId: "a", ...ask });
  const second = own.told({ nativeId: "b", ...ask });
  expect(begun).toHaveLength(2);
  expect([await first.begun, await second.begun]).toEqual(["1", "2"]);
  expect(executed).toEqual(["2", "1"]);
});

test("a half without an id finds the other one by what it does", async () => {
  const { own, begun } = calls();
  const told = own.told({ nativeId: "made-up", isMadeUp: true, ...ask });
  await own.make({ nativeId: "b", ...other });
  await own.make({ nativeId: "a", ...ask });
  expect(await told.begun).toBe("1");
  await own.make(ask);
  expect(begun).toHaveLength(3);
});

test("told again, it is the same call until its end was told, and then another one", async () => {
  const { own, begun } = calls();
  const told = own.told({ nativeId: "a", ...ask });
  expect(own.told({ nativeId: "a", ...ask }).begun).toBe(told.begun);
  expect(told.made()).toBeUndefined();
  told.over();
  await own.told({ nativeId: "a", ...ask }).begun;
  expect(begun).toHaveLength(2);
});
