import { createHash } from "node:crypto";
import { expect } from "vitest";
import { story } from "./story.ts";
import { askingTool, crashBefore, formOf, Gate } from "./tools.ts";
import { verifies } from "./verifies.ts";

const digest = (text: string) => createHash("sha256").update(text).digest("hex");
const SECRET = "hunter2-correct-horse";
const form = formOf(
  { id: "user", type: "text", label: "User", required: true },
  { id: "password", type: "secret", label: "Password", required: true, minLength: 8 },
);
const gate = new Gate();
/** Says of the secret only what it looks like from afar. */
const login = askingTool<{ slow?: boolean }>("login", ({ slow }) => ({
  type: "input",
  prompt: "Sign in",
  inputSchema: form,
  timeoutMs: 5_000,
  async onResponse({ action, input }) {
    if (slow) await gate.pass();
    const { user, password } = (input ?? {}) as { user?: string; password?: string };
    return { complete: { action, user, seen: password === undefined ? null : digest(password) } };
  },
  onTimeout: () => ({ pending: { message: "Later." } }),
}));

const signIn = (password: string) => ({ action: "submit", input: { user: "ann", password } });

verifies(
  ["respond:reaches-hook", "ask:checked"],
  "a secret reaches the hook and nothing else: no event, no row, no other client",
  { tools: [login] },
  async (world) => {
    const { session, client } = await world.conversation();
    const other = await world.person();
    await other.subscribe(session.id);
    await other.ask({ type: "subscribe", inbox: true });
    await client.say(session.id, "/call login {}");
    const request = await client.event("interaction_request");
    for (const bad of ["short", 5]) {
      const reply = await client.answer(request, signIn(bad as string));
      expect(Object.keys(reply["fieldErrors"])).toEqual(["password"]);
    }
    const reply = await client.answer(request, { ...signIn(SECRET), responseId: "mine" });
    expect(reply).toMatchObject({
      ok: true,
      response: { input: { user: "ann" }, secretFields: ["password"] },
    });
    const { payload } = await client.event("tool_result");
    expect(payload.result).toEqual({ action: "submit", user: "ann", seen: digest(SECRET) });
    await other.event("turn_end");
    expect(await client.answer(request, { ...signIn(SECRET), responseId: "mine" })).toMatchObject({
      ok: true,
    });
    const response = await other.event("interaction_response");
    expect(response.payload.input).toEqual({ user: "ann" });
    expect(response.payload.secretFields).toEqual(["password"]);
    for (const one of [client, other]) expect(JSON.stringify(one.frames)).not.toContain(SECRET);
    expect(JSON.stringify(await world.log(session.id))).not.toContain(SECRET);
    const path = `/api/interactions/${request.payload.interactionId}`;
    expect(JSON.stringify((await world.http("GET", path)).body)).not.toContain(SECRET);
    expect(await world.placesOf("Sign in")).not.toEqual([]);
    expect(await world.placesOf(SECRET)).toEqual([]);
    expect(await world.placesOf("short")).toEqual([]);
  },
);

verifies(
  "reprompt:initial-values",
  "if the server dies before the secret was used, the call asks again and says why",
  { tools: [login] },
  async (world) => {
    gate.reset();
    const { session, client } = await world.conversation();
    await client.say(session.id, '/call login {"slow":true}');
    const first = await client.event("interaction_request");
    await client.answer(first, signIn(SECRET));
    await crashBefore(gate, world);
    const again = await world.person();
    await again.subscribe(session.id);
    const second = await again.event("interaction_request", 2);
    expect(second.payload).toMatchObject({
      attempt: 2,
      prompt: "Sign in",
      error: expect.stringContaining("restarted"),
      inputSchema: { fields: form.fields, initialValues: { user: "ann" } },
    });
    expect(await again.answer(first, signIn(SECRET))).toMatchObject({ code: "stale_interaction" });
    await again.answer(second, signIn(`${SECRET}-again`));
    const { payload } = await again.event("tool_result");
    expect(payload.result).toMatchObject({ seen: digest(`${SECRET}-again`) });
    await again.event("turn_end");
    expect((await story(world, session.id)).slice(3, -3)).toEqual(
      [1, 2].flatMap((attempt) => [
        "interaction_pending true",
        `interaction_request ${attempt}`,
        "interaction_response submit",
        "interaction_pending false",
      ]),
    );
    expect(await world.placesOf(SECRET)).toEqual([]);
  },
);

verifies(
  "first-wins:one-winner",
  "of two who give secrets at once, the hook gets that of the one who won",
  { tools: [login] },
  async (world) => {
    const { session, client } = await world.conversation();
    const others = await Promise.all(Array.from({ length: 6 }, () => world.person()));
    for (let round = 1; round <= 4; round++) {
      await client.say(session.id, "/call login {}");
      const request = await client.event("interaction_request", round);
      // Each sends its answer twice, as a client does that hears nothing.
      const replies = await Promise.all(
        [...others, ...others].map((one, index) =>
          one.answer(request, { ...signIn(`password-${index % 6}`), responseId: `r${index % 6}` }),
        ),
      );
      const winner = replies.findIndex((reply) => reply["ok"]) % 6;
      for (const [index, reply] of replies.entries()) {
        expect(reply["ok"], `reply ${index}`).toBe(index % 6 === winner);
      }
      const { payload } = await client.event("tool_result", round);
      expect(payload.result).toMatchObject({ seen: digest(`password-${winner}`) });
      await client.event("turn_end", round);
    }
  },
);

verifies(
  "late-answer:queued-result",
  "a prompt with a secret is never queued: it closes as cancelled",
  { tools: [login] },
  async (world) => {
    const { session, client } = await world.conversation();
    await client.say(session.id, "/call login {}");
    const request = await client.event("interaction_request");
    await world.advance(5_000);
    const { payload } = await client.event("tool_result");
    expect(payload).toMatchObject({ ok: true, result: { pending: true, message: "Later." } });
    await client.event("turn_end");
    expect((await story(world, session.id)).slice(5, 8)).toEqual([
      "interaction_closed cancelled",
      "interaction_pending false",
      "tool_result ok",
    ]);
    const reply = await client.answer(request, signIn(SECRET));
    expect(reply).toMatchObject({ code: "interaction_closed", reason: "cancelled" });
    expect(await world.placesOf(SECRET)).toEqual([]);
  },
);

const orphan = askingTool(
  "orphan",
  () => ({ type: "input", inputSchema: form, onResponse: () => ({ complete: 1 }) }),
  { durable: "orphan" },
);

verifies(
  "late-answer:stays-open",
  "a prompt with a secret is never orphaned: it closes as cancelled",
  { tools: [orphan] },
  async (world) => {
    const { session, client } = await world.conversation();
    await client.say(session.id, "/call orphan {}");
    await client.event("interaction_request");
    await world.crash();
    const again = await world.person();
    await again.subscribe(session.id);
    await again.event("turn_end");
    expect((await story(world, session.id)).slice(5)).toEqual([
      "interaction_closed cancelled",
      "interaction_pending false",
      "tool_result tool_interrupted",
      "text",
      "turn_end completed",
    ]);
  },
);
