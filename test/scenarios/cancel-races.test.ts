import { expect } from "vitest";
import { checkLog } from "./always-true.ts";
import { callTool } from "./turns.ts";
import { approvalTool } from "./tools.ts";
import { verifies } from "./verifies.ts";

verifies(
  "cancel:handler-ends",
  "cancelling when nothing runs, or another turn does, stops nothing",
  { tools: [approvalTool] },
  async (world) => {
    const { session, client } = await world.conversation();
    const path = `/api/sessions/${session.id}/cancel`;
    expect(await world.http("POST", path)).toMatchObject({
      status: 200,
      body: { ok: true, stopped: false },
    });
    expect(await world.log(session.id)).toEqual([]);
    const turn = await callTool(client, session.id, "t_ask");
    const request = await turn.request();
    const log = await world.log(session.id);
    expect((await world.http("POST", path, { turnId: "another" })).body).toEqual({
      ok: true,
      stopped: false,
    });
    expect(await world.log(session.id)).toEqual(log);
    await client.answer(request, { action: "approve" });
    expect((await turn.end()).payload.status).toBe("completed");
    expect((await world.http("POST", path, { turnId: turn.turnId })).body.stopped).toBe(false);
  },
);

verifies(
  "cancel:handler-ends",
  "an answer and a cancel at once: the first one stored counts, and both are told the truth",
  { tools: [approvalTool] },
  async (world) => {
    const { session, client } = await world.conversation();
    for (let round = 0; round < 12; round++) {
      const turn = await callTool(client, session.id, "t_ask");
      const request = await turn.request();
      const answer = () => client.answer(request, { action: "approve" });
      const cancel = () => world.http("POST", `/api/sessions/${session.id}/cancel`);
      const early = round % 2 === 0 ? undefined : cancel();
      const [answered] = await Promise.all([answer(), early ?? cancel()]);
      await turn.end();
      const log = (await world.log(session.id)).filter((event) => event.turnId === turn.turnId);
      const answers = log.filter((event) => event.type === "interaction_response").length;
      const closed = log.filter((event) => event.type === "interaction_closed").length;
      expect({ round, answers, closed }).toEqual({
        round,
        answers: answered["ok"] ? 1 : 0,
        closed: answered["ok"] ? 0 : 1,
      });
      if (!answered["ok"]) expect(answered).toMatchObject({ code: "interaction_closed" });
      checkLog(await world.log(session.id));
    }
  },
);
