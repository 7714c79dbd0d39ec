import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEFAULTS } from "../../../src/protocol/index.ts";
import { MCP } from "../../../src/server/mcp/timing.ts";
import { ERAS, type McpClient, type Reply } from "./clients.ts";
import { McpHouse } from "./mcp-house.ts";

let house: McpHouse;
beforeAll(async () => {
  house = await McpHouse.open();
});
afterAll(() => house.close());

const COLOUR = { question: "Which colour?" };
const blue = { action: "submit", input: { answer: "blue" } };
const textOf = ({ content }: Reply) => JSON.parse(content[0]?.text ?? "null") as unknown;

describe.each(ERAS)("a client of %s over HTTP", (era) => {
  let client: McpClient;
  beforeAll(async () => {
    client = await house.client(era);
  });

  test("finds the tools that ask, the one that waits on, and every operation", async () => {
    const names = await client.toolNames();
    expect(names.toSorted()).toEqual(
      ["ask", "choose", "confirm", "desk_add", "desk_name", "desk_order", "form"].concat(
        "wait_for_answer",
      ),
    );
  });

  test("gets what a person says, in the same words for programs and for models", async () => {
    const asking = client.call("ask", COLOUR);
    const prompt = await house.answer(blue);
    expect(prompt.request).toMatchObject({
      prompt: "Which colour?",
      asker: { name: "Robot", kind: "machine" },
      presentation: "questionnaire",
    });
    const reply = await asking;
    expect(reply.structuredContent).toEqual({ status: "answered", answer: "blue" });
    expect(textOf(reply)).toEqual(reply.structuredContent);
    expect((await house.log(prompt.sessionId)).at(0)?.payload).toMatchObject({
      toolName: "ask",
      origin: "mcp",
    });
  });

  test.each([
    [{ action: "approve" }, { status: "answered", confirmed: true }],
    [
      { action: "deny", reason: "not today" },
      { status: "answered", confirmed: false, reason: "not today" },
    ],
  ])("hears %j to a confirmation as what it is", async (said, heard) => {
    const asking = client.ask("confirm", { question: "Deploy?" });
    await house.answer(said);
    expect(await asking).toEqual(heard);
  });

  test("lets a person choose, one or several, and fill in a form", async () => {
    const cake = { question: "Which cake?", choices: ["plum", "apple", "nut"] };
    const one = client.ask("choose", cake);
    await house.answer({ action: "submit", input: { answer: "plum" } });
    expect(await one).toEqual({ status: "answered", choice: "plum" });
    const some = client.ask("choose", { ...cake, multiple: true });
    await house.answer({ action: "submit", input: { answer: ["plum", "nut"] } });
    expect(await some).toEqual({ status: "answered", choices: ["plum", "nut"] });
    const fields = [{ id: "guests", type: "number", label: "Guests", required: true }];
    const form = client.ask("form", { schema: { type: "form", fields } });
    await house.answer({ action: "submit", input: { guests: 7 } });
    expect(await form).toEqual({ status: "answered", values: { guests: 7 } });
  });

  test.each([
    [{ action: "cancel" }, { status: "cancelled" }],
    [
      { action: "deny", reason: "ask later" },
      { status: "declined", reason: "ask later" },
    ],
  ])("is never told %j as an answer", async (said, heard) => {
    const asking = client.ask("ask", { question: "Whom do you trust?" });
    await house.answer(said);
    expect(await asking).toEqual(heard);
  });

  test("calls operations; one that needs an approval is held for it once", async () => {
    expect((await client.call("desk_add", { a: 2, b: 3 })).content[0]?.text).toBe("5");
    const ordering = client.call("desk_order", { cake: "plum" });
    const prompt = await house.answer({ action: "deny", reason: "no cake" });
    expect(prompt.request).toMatchObject({ toolName: "desk_order", toolInput: { cake: "plum" } });
    const denied = await ordering;
    expect(denied).toMatchObject({ isError: true });
    expect(textOf(denied)).toMatchObject({ code: "tool_denied", error: "no cake" });
    expect(await house.open()).toEqual([]);
  });

  test("is told what is wrong with its arguments, and of tools that there are not", async () => {
    expect(await client.call("choose", { question: "Which?" })).toMatchObject({
      isError: true,
      structuredContent: { code: "invalid_arguments", issues: [{ path: "choices" }] },
    });
    expect(await client.call("desk_add", { a: "two" })).toMatchObject({
      isError: true,
      structuredContent: { code: "invalid_arguments" },
    });
    const secret = [{ id: "pin", type: "secret", label: "PIN" }];
    expect(await client.call("form", { schema: { type: "form", fields: secret } })).toMatchObject({
      isError: true,
      structuredContent: { code: "invalid_request" },
    });
    for (const name of ["bash", "ask_user", "nothing"]) {
      await expect(client.call(name, {})).rejects.toThrow(`There is no tool "${name}" for you.`);
    }
    expect(await house.open()).toEqual([]);
  });

  test("that hangs up and asks the same again finds its prompt, and nobody is asked twice", async () => {
    const question = { question: "Still there?" };
    const hangUp = new AbortController();
    const first = client.ask("ask", question, { signal: hangUp.signal });
    const [asked] = await house.waiting();
    hangUp.abort();
    await expect(first).rejects.toThrow("abort");
    const again = client.ask("ask", question);
    await house.answer({ action: "submit", input: { answer: "yes" } });
    expect(await again).toEqual({ status: "answered", answer: "yes" });
    expect(await house.open()).toEqual([]);
    // Once it has heard the answer, the same words are another question.
    const later = client.ask("ask", question);
    const [another] = await house.waiting();
    expect(another?.id).not.toBe(asked?.id);
    await house.answer({ action: "submit", input: { answer: "no longer" } });
    expect(await later).toEqual({ status: "answered", answer: "no longer" });
  });

  test("finds the answer to what it asked before it was cut off, for two hours", async () => {
    const asked = async (question: string) => {
      const hangUp = new AbortController();
      const asking = client.ask("confirm", { question }, { signal: hangUp.signal });
      await house.waiting();
      hangUp.abort();
      await expect(asking).rejects.toThrow("abort");
      await house.answer({ action: "approve" });
    };
    await asked("Publish?");
    expect(await client.ask("confirm", { question: "Publish?" })).toMatchObject({
      confirmed: true,
    });
    await asked("Delete?");
    house.clock.jump(DEFAULTS.adoptionMs);
    const again = client.ask("confirm", { question: "Delete?" });
    await house.answer({ action: "deny" });
    expect(await again).toMatchObject({ confirmed: false });
  });

  test("that hung up and is not back in a minute has withdrawn its question", async () => {
    const hangUp = new AbortController();
    const asking = client.ask("ask", { question: "Gone?" }, { signal: hangUp.signal });
    await house.waiting();
    hangUp.abort();
    await expect(asking).rejects.toThrow("abort");
    await expect
      .poll(async () => {
        await house.clock.advance(DEFAULTS.callerGraceMs);
        return house.open();
      })
      .toEqual([]);
  });

  test("of the same words, two programs and two keys are two questions each", async () => {
    const other = await house.client(era, { token: await house.machine(), "x-client-id": "b" });
    const both = [
      client.ask("ask", { ...COLOUR, key: "door" }),
      client.ask("ask", { ...COLOUR, key: "roof" }),
      other.ask("ask", { ...COLOUR, key: "roof" }),
    ];
    for (const { id } of await house.waiting(3)) {
      await house.api("POST", `/interactions/${id}/respond`, blue);
    }
    expect(await Promise.all(both)).toHaveLength(3);
  });

  test("hears that its call goes on only if it wants to", async () => {
    const heard: number[] = [];
    const asking = client.ask(
      "ask",
      { question: "Patience?" },
      {
        onprogress: ({ progress }) => heard.push(progress),
      },
    );
    await house.waiting();
    await expect
      .poll(async () => {
        await house.clock.advance(MCP.progressMs);
        return heard.length;
      })
      .toBeGreaterThan(1);
    expect(heard.slice(0, 2)).toEqual([1, 2]);
    await house.answer(blue);
    expect(await asking).toMatchObject({ answer: "blue" });
  });
});

describe.each(ERAS.slice(0, 2))("a client of %s that waits for less than people take", (era) => {
  test.each([
    ["a question", "ask", { question: "Late?" }, blue, { status: "answered", answer: "blue" }],
    [
      "an operation",
      "desk_name",
      {},
      { action: "submit", input: { name: "Ada" } },
      { name: "Ada" },
    ],
  ])(
    "hears that %s is pending, and gets the answer by its id",
    async (_what, name, args, said, end) => {
      const client = await house.client(era);
      const asking = client.ask(name, args);
      await house.waiting();
      await house.clock.advance(MCP.waitMs);
      const pending = (await asking) as { status: string; id: string };
      expect(pending).toEqual({ status: "pending", id: expect.any(String) });
      const still = client.ask("wait_for_answer", { id: pending.id });
      await expect
        .poll(async () => {
          await house.clock.advance(MCP.waitMs);
          return Promise.race([still, Promise.resolve()]);
        })
        .toEqual(pending);
      // Longer than a caller who hung up may take: this one was told to come back.
      await house.clock.advance(2 * DEFAULTS.callerGraceMs);
      await house.answer(said);
      expect(await client.ask("wait_for_answer", { id: pending.id })).toEqual(end);
      expect(await house.open()).toEqual([]);
    },
  );
});

test("a client of 2026-07-28 calls again by itself, eight times, and then hears that it is pending", async () => {
  const client = await house.client("2026-07-28");
  const asking = client.ask("ask", { question: "Round after round?" });
  const [asked] = await house.waiting();
  const { value: reply, steps } = await house.passing<any>(asking, MCP.waitMs);
  expect(reply).toEqual({ status: "pending", id: asked?.id });
  expect(steps).toBeGreaterThan(MCP.rounds);
  await house.answer(blue);
  expect(await client.ask("wait_for_answer", { id: reply.id })).toMatchObject({ answer: "blue" });
});

test("an operation that a client of 2026-07-28 is told to call again runs once", async () => {
  const client = await house.client("2026-07-28", { "x-wait-ms": "0" });
  const ordering = client.ask("desk_order", { cake: "nut" });
  await house.waiting();
  for (let round = 0; round < 5; round++) await house.clock.advance(1);
  expect(await house.open()).toHaveLength(1);
  await house.answer({ action: "approve" });
  const { value } = await house.passing<any>(ordering);
  const isPending = value.status === "pending";
  const end = isPending ? await client.ask("wait_for_answer", { id: value.id }) : value;
  expect(end).toEqual({ ordered: ["nut"] });
});

test("state that nobody signed is refused, and so is that of another credential", async () => {
  const post = async (token: string, requestState?: string) => {
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "confirm",
      "x-wait-ms": "0",
    };
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const state = requestState === undefined ? {} : { requestState };
    const params = { name: "confirm", arguments: { question: "Sign?" }, _meta, ...state };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const posted = fetch(`${house.url}/mcp`, { method: "POST", headers, body });
    const { value: reply } = await house.passing(posted.then((one) => one.text()));
    const [, data = "null"] = /^data: (.*)$/m.exec(reply) ?? [];
    return JSON.parse(data);
  };
  const [one, other] = [await house.machine(), await house.machine()];
  const { result } = await post(one);
  expect(result).toMatchObject({ resultType: "input_required", requestState: expect.any(String) });
  expect((await post(one, result.requestState)).result).toMatchObject({
    resultType: "input_required",
  });
  for (const [token, state] of [
    [other, result.requestState],
    [one, "v1.forged.state"],
  ]) {
    expect((await post(token, state)).error).toMatchObject({ code: -32_602 });
  }
  await house.answer({ action: "deny" });
});

test("a person's token asks as that person's program, and no tool decides anything", async () => {
  const client = await house.client("2025-11-25", { token: house.beckon.ownerToken });
  const asking = client.ask("confirm", { question: "As whom?" });
  const prompt = await house.answer({ action: "approve" });
  expect(prompt.request.asker).toEqual({ name: "Owner's program", kind: "machine" });
  expect(await asking).toMatchObject({ confirmed: true });
  expect((await client.toolNames()).join()).not.toMatch(/respond|approve|deny|grant|answer_/);
});

test.each(ERAS)(
  "a client of %s that is bound to a session asks there, as that machine",
  async (era) => {
    const { id } = await house.api("POST", "/sessions", {});
    const client = await house.client(era, { token: await house.machine(id) });
    expect(await client.toolNames()).not.toContain("ask");
    const asking = client.ask("ask_user", COLOUR);
    const prompt = await house.answer(blue);
    expect(prompt).toMatchObject({ sessionId: id, toolName: "ask_user" });
    expect(prompt.request.asker).toEqual({ name: "Robot", kind: "machine" });
    expect(await asking).toEqual({ ok: true, answer: "blue" });
    const call = (await house.log(id)).find(({ type }) => type === "tool_call");
    expect(call?.payload).toMatchObject({ toolName: "ask_user", origin: "mcp" });
  },
);

test("what one machine has asked, no other can wait for", async () => {
  const [one, other] = [await house.client("2025-11-25"), await house.client("2025-11-25")];
  const asking = one.ask("ask", { question: "Private?" });
  const [asked] = await house.waiting();
  expect(await other.ask("wait_for_answer", { id: asked?.id })).toMatchObject({
    code: "interaction_not_found",
  });
  expect(await other.ask("wait_for_answer", { id: "mcp-guessed" })).toMatchObject({
    code: "not_found",
  });
  await house.answer(blue);
  await asking;
});

test("a caller has so many calls waiting at once, and others have theirs", async () => {
  // A bound credential has the fewest.
  const { id } = await house.api("POST", "/sessions", {});
  const headers = {
    authorization: `Bearer ${await house.machine(id)}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const post = (params: object, more: { headers?: object; signal?: AbortSignal } = {}) =>
    fetch(`${house.url}/mcp`, {
      method: "POST",
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
      ...more,
      headers: { ...headers, ...more.headers },
    });
  const first = post({ name: "desk_name" }, { headers: { "x-wait-ms": "0" } });
  const { value } = await house.passing(first.then((reply) => reply.text()));
  const [, pending = ""] = /(mcp-[\w-]+)/.exec(value) ?? [];
  const hangUp = new AbortController();
  const replies = await Promise.all(
    Array.from({ length: 55 }, () =>
      post({ name: "wait_for_answer", arguments: { id: pending } }, { signal: hangUp.signal }),
    ),
  );
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(5);
  expect(await (await house.client("2025-11-25")).toolNames()).toContain("ask");
  hangUp.abort();
});
