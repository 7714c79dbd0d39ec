import { expect, test } from "vitest";
import { startScripted } from "../../test/support/scripted-server.ts";

const prompt = { sessionId: "s1", toolCallId: "c1", interactionId: "i1" };
const deny = { action: "deny" } as const;
const RESPONSE = "tool_interaction_response";

test("a response goes out again on each new line under the same id, until it is answered", async () => {
  const { client, clock, line } = startScripted();
  const replying = client.respond(prompt, { ...deny, reason: "no" });
  const first = line().last(RESPONSE);
  expect(first).toMatchObject({ sessionId: "s1", callId: "c1", interactionId: "i1", ...deny });
  line().welcome();
  for (const wait of [250, 500, 1_000]) {
    line().end();
    await clock.advance(wait);
    expect(line().of(RESPONSE)).toEqual([first]);
  }
  const answer = { type: "interaction_result", ref: first["ref"], interactionId: "i1" };
  line().say({ ...answer, ok: true }, { ...answer, ok: false, code: "already_answered" });
  expect(await replying).toEqual({ ok: true });
  line().end();
  await clock.advance(2_000);
  expect(line().of(RESPONSE)).toEqual([]);
});

test("a refusal is a value with everything that the server said of it", async () => {
  const { client, line } = startScripted();
  const replying = client.respond(prompt, deny);
  const told = {
    code: "stale_interaction",
    error: "This prompt was replaced.",
    current: "i2",
    response: { action: "deny" },
    reason: "superseded",
    fieldErrors: { name: "Too short" },
  };
  const { ref } = line().last(RESPONSE);
  line().say({ type: "interaction_result", ref, interactionId: "i1", ok: false, ...told });
  expect(await replying).toEqual({ ok: false, ...told });
});

test("after five minutes without an answer it rejects, and is not sent again", async () => {
  const { client, clock, line } = startScripted();
  const refused = client.respond(prompt, deny).catch((error: unknown) => error);
  line().welcome();
  await clock.advance(15_000);
  line().end();
  await clock.advance(300_000);
  expect(await refused).toMatchObject({ name: "TransportError", code: "unreachable" });
  client.reconnect();
  expect(line().of(RESPONSE)).toEqual([]);
});

test("at most fifty are under way at once; the rest follow in order as answers come", () => {
  const { client, line } = startScripted();
  line().welcome();
  for (let count = 1; count <= 60; count++) {
    void client.sendMessage("s1", { text: `${count}` });
  }
  const texts = () =>
    line()
      .of("user_message")
      .map(({ text }) => Number(text));
  expect(texts()).toHaveLength(50);
  for (const frame of line().of("user_message").slice(0, 3)) {
    line().say({ type: "ack", ref: frame["ref"], messageId: frame["messageId"] });
  }
  expect(texts()).toEqual(Array.from({ length: 53 }, (_, index) => index + 1));
});

test("who is signed out hears so, and what waited is not sent later", async () => {
  const { client, line } = startScripted();
  const replying = client.respond(prompt, deny);
  const sending = client.sendMessage("s1", { text: "Hello" }).catch((error: unknown) => error);
  line().welcome();
  line().end(4001);
  expect(await replying).toMatchObject({ ok: false, code: "unauthorized" });
  expect(await sending).toMatchObject({ name: "TransportError", code: "unauthorized" });
  client.reconnect();
  expect(line().of(RESPONSE)).toEqual([]);
});

test("what a server finds too large does not break the next line as well", async () => {
  const { client, clock, line } = startScripted();
  line().welcome();
  const small = client.sendMessage("s1", { text: "small", messageId: "m1" });
  const large = client.respond(prompt, { action: "deny", reason: "x".repeat(1_000) });
  line().end(4009);
  expect(await large).toMatchObject({ ok: false, code: "too_large" });
  await clock.advance(30_000);
  expect(line().of(RESPONSE)).toEqual([]);
  line().say({ type: "ack", ref: line().last("user_message")["ref"], messageId: "m1" });
  expect(await small).toEqual({ messageId: "m1" });
});
