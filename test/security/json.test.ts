import { afterAll, beforeAll, expect, test } from "vitest";
import { LIMITS } from "../../src/protocol/index.ts";
import { Client } from "../scenarios/client.ts";
import { everywhere, FRAMES, WRITING } from "./entrances.ts";
import { House } from "./house.ts";
import { bearer, inWords } from "./wire.ts";

let house: House;
let before: unknown;
beforeAll(async () => {
  house = await House.build();
  before = await house.state();
});
afterAll(() => house.close());

const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const keys = (count: number) =>
  `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join()}}`;

/** Put before the closing brace of a good body or frame. */
const EVIL_JSON: [what: string, more: string][] = [
  ["the key __proto__", '"__proto__":{"isAdmin":true}'],
  ["the key constructor", '"constructor":{"prototype":{"isAdmin":true}}'],
  ["the key prototype", '"prototype":{}'],
  ["an escaped __proto__", '"__pr\\u006fto__":{"isAdmin":true}'],
  ["__proto__ inside a list", '"x":[{"__proto__":{"isAdmin":true}}]'],
  ["__proto__ ten levels down", `"x":${'{"a":'.repeat(10)}{"__proto__":1}${"}".repeat(10)}`],
  ["a key twice", '"x":1,"x":2'],
  ["a key twice, escaped", '"x":1,"\\u0078":2'],
  ["a key twice, deep inside", '"x":[{"y":[{"z":1,"z":2}]}]'],
  ["33 levels", `"x":${nested(32)}`],
  ["10,000 levels", `"x":${nested(10_000)}`],
  ["2,001 keys", `"x":${keys(2_001)}`],
  ["a number that is infinite", '"x":1e999'],
  ["a number that is infinite, deep inside", '"x":[{"y":[-1e999]}]'],
  ["half a character", '"x":"\\ud800"'],
  ["half a character in a key", '"\\udc00":1'],
  ["two halves in the wrong order", '"x":"\\udc00\\ud800"'],
  ["a byte order mark", '"x":1}\ufeff{"y":1'],
  ["a comment", '"x":1/* */'],
  ["a comma too many", '"x":1,'],
  ["NaN", '"x":NaN'],
  ["single quotes", "'x':1"],
];

const withMore = (good: string, more: string) =>
  good === "{}" ? `{${more}}` : `${good.slice(0, -1)},${more}}`;

test.each(everywhere(WRITING, EVIL_JSON))(
  "%s with %s gets 400 invalid_request",
  async (_name, _what, entrance, more) => {
    const body = withMore(house.bodyOf(entrance) ?? "{}", more);
    const reply = await house.enter(entrance, bearer(house.owner), body);
    expect(inWords(reply)).toBe("400 invalid_request");
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  },
);

/** The first frame has a smaller limit, which closes the connection before anything is read. */
const EVIL_FRAMES = EVIL_JSON.flatMap(([what, more]) =>
  FRAMES.filter(([type]) => type !== "hello" || more.length < LIMITS.helloBytes / 2).map(
    ([type, { frame }]) => [type, what, frame, more] as const,
  ),
);

test.each(EVIL_FRAMES)("%s with %s is refused by the socket", async (type, _what, frame, more) => {
  const isFirst = type === "hello";
  const socket = isFirst
    ? await Client.open(house.origin, bearer(house.owner))
    : await house.connect(house.owner);
  const before = socket.frames.length;
  socket.send(withMore(JSON.stringify(house.withNames(frame)), more));
  const reply = await socket.until((one) => socket.frames.indexOf(one) >= before);
  expect(reply["code"]).toBe("invalid_request");
  socket.terminate();
});

test.each(EVIL_FRAMES)("%s with %s is refused in process", async (type, _what, frame, more) => {
  const channel = house.beckon.connect(house.owner);
  const refusal = new Promise<{ code: string }>((resolve) => {
    channel.onFrame = (text) => {
      const one = JSON.parse(text) as { type: string; code: string };
      if (type === "hello" || one.type !== "welcome") resolve(one);
    };
  });
  if (type !== "hello") channel.send('{"type":"hello","protocolVersion":1}');
  channel.send(withMore(JSON.stringify(house.withNames(frame)), more));
  expect((await refusal).code).toBe("invalid_request");
  channel.close();
});

test.each(EVIL_JSON)(
  "arguments with %s do not reach a tool by way of a message",
  async (...given) => {
    const [, more] = given;
    const socket = await house.connect(house.owner);
    await socket.subscribe(house.withNames("$quiet"), { tail: 1 });
    const { messageId } = await socket.say(house.withNames("$quiet"), `/call house_echo {${more}}`);
    const { turnId } = await socket.event("turn_start", (turn) => turn.messageId === messageId);
    await socket.event("turn_end", (_end, event) => event.turnId === turnId);
    expect(socket.events().filter(({ type }) => type === "tool_call")).toEqual([]);
  },
);

test("after all of it nothing has changed", async () => {
  expect(await house.state()).toEqual(before);
});
