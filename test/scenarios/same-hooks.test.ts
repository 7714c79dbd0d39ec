import { expect } from "vitest";
import { story } from "./story.ts";
import { askingTool, submit, VALUE_FORM } from "./tools.ts";
import { verifies } from "./verifies.ts";

let cancelled: string[] = [];
const loop = askingTool("loop", (_args, ctx) => ({
  type: "input",
  inputSchema: VALUE_FORM,
  timeoutMs: 60_000,
  onResponse: (response, { attempt }) =>
    response.input?.["value"] === "done"
      ? { complete: `answered at ${attempt}` }
      : { reprompt: { type: "input", error: `heard ${attempt}` } },
  onTimeout: () => ({ reprompt: { type: "input", error: "timed out" } }),
  onCancel: () => void cancelled.push(ctx.toolCallId),
}));

verifies(
  ["reprompt:same-hooks", "timeout:hook-reprompts"],
  "the hooks of the first request serve every re-prompt, by answer and by timeout",
  { tools: [loop] },
  async (world) => {
    const { session, client } = await world.conversation();
    await client.say(session.id, "/call loop {}");
    await client.answer(await client.event("interaction_request", 1), submit("a"));
    expect((await client.event("interaction_request", 2)).payload.error).toBe("heard 1");
    for (const attempt of [3, 4]) {
      await world.advance(60_000);
      expect((await client.event("interaction_request", attempt)).payload.error).toBe("timed out");
    }
    await client.answer(await client.event("interaction_request", 4), submit("b"));
    const fifth = await client.event("interaction_request", 5);
    expect(fifth.payload.error).toBe("heard 4");
    await client.answer(fifth, submit("done"));
    expect((await client.event("tool_result")).payload.result).toBe("answered at 5");
    await client.event("turn_end");
    const closed = ["interaction_closed timed_out", "interaction_pending false"];
    const answered = ["interaction_response submit", "interaction_pending false"];
    const asked = (attempt: number) => [
      "interaction_pending true",
      `interaction_request ${attempt}`,
    ];
    expect((await story(world, session.id)).slice(3, -3)).toEqual([
      ...[...asked(1), ...answered],
      ...[...asked(2), ...closed],
      ...[...asked(3), ...closed],
      ...[...asked(4), ...answered],
      ...[...asked(5), ...answered],
    ]);
  },
);

verifies(
  "reprompt:same-hooks",
  "the first request's onCancel serves a re-prompt too",
  { tools: [loop] },
  async (world) => {
    cancelled = [];
    const { session, client } = await world.conversation();
    await client.say(session.id, "/call loop {}");
    await client.answer(await client.event("interaction_request", 1), submit("a"));
    const { payload } = await client.event("interaction_request", 2);
    await client.ask({ type: "cancel", sessionId: session.id });
    const end = await client.event("turn_end");
    expect(end.payload.status).toBe("cancelled");
    expect((await story(world, session.id)).slice(-4)).toEqual([
      "interaction_closed cancelled",
      "interaction_pending false",
      "tool_result tool_cancelled",
      "turn_end cancelled",
    ]);
    await world.clock.settle();
    // Nobody held the call in memory where every waiting call is dropped.
    if (world.mode !== "alwaysOrphan") expect(cancelled).toEqual([payload.toolCallId]);
  },
);

const remembering = askingTool(
  "remembering",
  () => {
    const typed: string[] = [];
    return {
      type: "input",
      inputSchema: VALUE_FORM,
      onResponse(response) {
        typed.push(String(response.input?.["value"]));
        return typed.length < 3 ? { reprompt: { type: "input" } } : { complete: typed };
      },
    };
  },
  { durable: "orphan" },
);

verifies(
  "reprompt:closure",
  "a call that is not replayed keeps what its hook remembers from one prompt to the next",
  { tools: [remembering] },
  async (world) => {
    const { session, client } = await world.conversation();
    await client.say(session.id, "/call remembering {}");
    for (const [index, value] of ["a", "b", "c"].entries()) {
      await client.answer(await client.event("interaction_request", index + 1), submit(value));
    }
    const { payload } = await client.event("tool_result");
    expect(payload).toMatchObject({ ok: true, result: ["a", "b", "c"] });
  },
);
