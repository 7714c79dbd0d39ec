import { expect } from "vitest";
import { defineTool } from "../../src/core/index.ts";
import { checkLog } from "./always-true.ts";
import { startTurn } from "./turns.ts";
import { inEveryMode } from "./verifies.ts";

const ran: string[] = [];
const guarded = defineTool<{ key: string; id: string }>({
  name: "t_guarded",
  description: "Runs when somebody allows it",
  durable: "replay",
  parameters: { type: "object" },
  approval: { key: ({ key }) => key, scopes: ["once", "session", "always"] },
  handler: ({ id }, ctx) => ctx.step("run", () => ran.push(id)),
});

const ask = (key: string, id: string) => `t_guarded ${JSON.stringify({ key, id })}`;

for (const scope of ["session", "always"]) {
  inEveryMode(
    `what a person allows for ${scope} answers the open prompts that ask for the same`,
    { tools: [guarded] },
    async (world) => {
      ran.length = 0;
      const { session, client } = await world.conversation();
      const calls = [ask("a", "1"), ask("a", "2"), ask("b", "3")].join(" | ");
      await startTurn(client, session.id, `/parallel ${calls}`);
      const outside = world.http(
        "POST",
        "/api/plugins/t/operations/guarded",
        { key: "a", id: "4" },
        {
          "x-session-id": session.id,
        },
      );
      const prompt = (id: string) =>
        client.event("interaction_request", ({ toolInput }) => (toolInput as any)?.id === id);
      const [first, second, third, fourth] = [
        await prompt("1"),
        await prompt("2"),
        await prompt("3"),
        await prompt("4"),
      ];
      await client.answer(first, { action: "approve", approvalScope: scope });
      expect((await outside).body).toMatchObject({ ok: true });
      const { grants } = (await world.http("GET", "/api/grants")).body;
      expect(grants).toHaveLength(1);
      for (const { payload } of [second, fourth]) {
        const { interactionId, toolCallId } = payload;
        const said = await client.event(
          "interaction_response",
          (one) => one.interactionId === interactionId,
        );
        expect(said.payload).toMatchObject({ action: "approve", grantId: grants[0].id });
        const mine = await client.event(
          "interaction_response",
          (one) => one.interactionId === first.payload.interactionId,
        );
        expect(said.payload.responder).toEqual(mine.payload.responder);
        const result = await client.event("tool_result", (one) => one.toolCallId === toolCallId);
        expect(result.payload).toMatchObject({ ok: true, authorizedBy: `grant:${grants[0].id}` });
      }
      expect(ran.toSorted()).toEqual(["1", "2", "4"]);
      const { interactions } = (await world.http("GET", "/api/interactions")).body;
      expect(interactions).toMatchObject([{ id: third.payload.interactionId, status: "pending" }]);
      await client.answer(third, { action: "deny" });
      await client.event("turn_end");
      checkLog(await world.log(session.id));
    },
  );
}

inEveryMode(
  "what a person allows for always answers prompts in other sessions too, and no others",
  { tools: [guarded] },
  async (world) => {
    ran.length = 0;
    const client = await world.person();
    const sessions = [await world.session(), await world.session(), await world.session()];
    const prompts = [];
    for (const [at, { id }] of sessions.entries()) {
      await client.subscribe(id);
      const calls = [ask("a", `${at}a`), ask("a", `${at}A`), ask("b", `${at}b`)].join(" | ");
      await startTurn(client, id, `/parallel ${calls}`);
      for (const name of ["a", "A", "b"]) {
        prompts.push(
          await client.event(
            "interaction_request",
            ({ toolInput }) => (toolInput as any)?.id === `${at}${name}`,
          ),
        );
      }
    }
    await client.answer(prompts[0]!, { action: "approve", approvalScope: "always" });
    const results = [];
    for (const at of [0, 1, 3, 4, 6, 7]) {
      const { toolCallId } = prompts[at]!.payload;
      results.push(await client.event("tool_result", (one) => one.toolCallId === toolCallId));
    }
    expect(ran.toSorted()).toEqual(["0A", "0a", "1A", "1a", "2A", "2a"]);
    const { grants } = (await world.http("GET", "/api/grants")).body;
    expect(grants).toHaveLength(1);
    const [given, ...others] = results.map(({ payload }) => payload.authorizedBy);
    expect(given).toBe(`interaction:${prompts[0]!.payload.interactionId}`);
    expect(new Set(others)).toEqual(new Set([`grant:${grants[0].id}`]));
    const said = client.events().filter(({ type }) => type === "interaction_response");
    const [mine, ...theirs] = said.map(({ payload }) => payload as Record<string, unknown>);
    for (const { action, grantId, responder } of theirs) {
      expect([action, grantId, responder]).toEqual(["approve", grants[0].id, mine?.responder]);
    }
    const { interactions } = (await world.http("GET", "/api/interactions")).body;
    const left = [prompts[2]!, prompts[5]!, prompts[8]!];
    expect(new Set(interactions.map(({ id }: { id: string }) => id))).toEqual(
      new Set(left.map(({ payload }) => payload.interactionId)),
    );
    for (const other of left) await client.answer(other, { action: "deny" });
    for (const { id } of sessions) {
      await client.event("turn_end", (_end, event) => event.sessionId === id);
      checkLog(await world.log(id));
    }
  },
);
