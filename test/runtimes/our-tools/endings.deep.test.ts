import { afterEach, describe, expect, test } from "vitest";
import { processesOf } from "../processes.ts";
import { AGENTS, type Heard, startMortal } from "./models.ts";

let server: Awaited<ReturnType<typeof startMortal>>;
afterEach(() => server.close());

const ask = (id: string, question: string) => ({ id, name: "ask_user", input: { question } });
const submit = (answer: string) => ({ action: "submit", input: { answer } });

describe.each(AGENTS)("a question of %s by our tool", (agent) => {
  test("outlives a server that is killed; the answer reaches the model as a message", async () => {
    const heard: Heard[] = [];
    server = await startMortal(agent, (now) => {
      heard.push(now);
      if (now.text.includes("Blue")) return "Blue it is.";
      return now.results.length > 0 ? "Then not." : [ask("call_k", "Which colour?")];
    });
    const before = await server.talk();
    await before.say("paint it");
    const asked = await before.prompt();
    await server.kill();
    await expect.poll(() => processesOf(server.folder)).toEqual([]);
    await server.revive();
    const after = await server.talk(before.sessionId);
    expect(await after.ended()).toBe("interrupted");
    expect((await after.result("call_k")).error?.code).toBe("tool_interrupted");
    await after.answer(asked, submit("Blue"));
    expect(await after.ended(2)).toBe("completed");
    expect(heard.at(-1)?.text).toContain("Blue");
    const calls = after.types().filter((type) => type === "tool_call");
    expect(calls).toHaveLength(1);
  });

  test("made together with another one waits beside it, and each gets its own answer", async () => {
    const heard: Heard[] = [];
    server = await startMortal(agent, (now) => {
      heard.push(now);
      if (now.results.length > 0) return "Thank you.";
      return [ask("call_a", "Door?"), ask("call_b", "Roof?")];
    });
    const talk = await server.talk();
    await talk.say("paint both");
    const seen = new Map<string, Awaited<ReturnType<typeof talk.prompt>>>();
    // Codex asks one after the other, Claude both at once; people may answer in any order.
    const isOneByOne = agent === "codex";
    for (const nth of isOneByOne ? [1] : [1, 2]) {
      const request = await talk.prompt(nth);
      seen.set(request.payload.toolCallId, request);
    }
    if (isOneByOne) {
      await talk.answer(await talk.prompt(1), submit("red"));
      await talk.answer(await talk.prompt(2), submit("blue"));
    } else {
      await talk.answer(seen.get("call_b")!, submit("blue"));
      await talk.answer(seen.get("call_a")!, submit("red"));
    }
    expect(await talk.ended()).toBe("completed");
    const told = new Map(heard.at(-1)?.results.map(({ toolUseId, text }) => [toolUseId, text]));
    expect(told.get("call_a")).toContain("red");
    expect(told.get("call_b")).toContain("blue");
  });

  test("closes when its turn is stopped, and nothing of the agent is left", async () => {
    server = await startMortal(agent, () => [ask("call_c", "Shall I?")]);
    const talk = await server.talk();
    await talk.say("ask me");
    const asked = await talk.prompt();
    await talk.client.ask({ type: "cancel", sessionId: talk.sessionId });
    expect(await talk.ended()).toBe("cancelled");
    const closed = await talk.client.event("interaction_closed");
    expect(closed.payload).toMatchObject({
      interactionId: asked.payload.interactionId,
      reason: "cancelled",
    });
    expect((await talk.result("call_c")).error?.code).toBe("tool_cancelled");
    await expect.poll(() => processesOf(server.folder)).toEqual([]);
  });
});
