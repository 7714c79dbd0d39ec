import { expect } from "vitest";
import { EventStream } from "./event-stream.ts";
import { callTool, startTurn } from "./turns.ts";
import { approvalTool } from "./tools.ts";
import { verifies } from "./verifies.ts";

verifies(
  ["replay:same-as-live", "events:stored-and-sent"],
  "an event stream carries the log with its seq as id, and resumes where a client left off",
  { tools: [approvalTool] },
  async (world) => {
    const { session, client } = await world.conversation();
    const stream = await EventStream.open(world, session.id);
    const turn = await callTool(client, session.id, "t_ask");
    const request = await turn.request();
    await stream.until(({ type }) => type === "interaction_request");
    stream.close();
    await client.answer(request, { action: "approve" });
    await turn.end();

    const resumed = await EventStream.open(world, session.id, {
      "last-event-id": String(request.seq),
    });
    await resumed.until(({ type }) => type === "turn_end");
    const log = await world.log(session.id);
    expect([...stream.events, ...resumed.events]).toEqual(log);
    for (const { id, data } of [...stream.messages, ...resumed.messages]) {
      expect(id).toBe(data.seq === undefined ? undefined : String(data.seq));
      if (id === undefined) expect(["text_delta", "session_status"]).toContain(data.type);
    }
    // Live again after what was missing, and over a restart of the server.
    await (await startTurn(client, session.id, "more")).end();
    await resumed.until(({ seq }) => seq > log.length);
    resumed.close();
  },
);

verifies(
  "cancel:session-ended",
  "a stream of a session that is deleted ends",
  { tools: [approvalTool] },
  async (world) => {
    const { session, client } = await world.conversation();
    const turn = await callTool(client, session.id, "t_ask");
    await turn.request();
    const stream = await EventStream.open(world, session.id);
    await stream.until(({ type }) => type === "interaction_request");
    await world.http("DELETE", `/api/sessions/${session.id}`);
    await stream.untilEnded();
    await expect(EventStream.open(world, session.id)).rejects.toThrow("404");
  },
);

verifies(
  [],
  "the events route pages forwards and backwards",
  { tools: [approvalTool] },
  async (world) => {
    const { session, client } = await world.conversation();
    await (await startTurn(client, session.id, "one")).end();
    await (await startTurn(client, session.id, "two")).end();
    const path = `/api/sessions/${session.id}/events`;
    const log = await world.log(session.id);
    expect(log).toHaveLength(8);
    const page = async (query: string) => {
      const { status, body } = await world.http("GET", `${path}?${query}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ lastSeq: 8, logId: expect.any(String) });
      return body.events.map((event: { seq: number }) => event.seq);
    };
    expect(await page("after=0&limit=3")).toEqual([1, 2, 3]);
    expect(await page("after=3&limit=3")).toEqual([4, 5, 6]);
    expect(await page("after=6&limit=3")).toEqual([7, 8]);
    expect(await page("after=8")).toEqual([]);
    expect(await page("before=9&limit=3")).toEqual([6, 7, 8]);
    expect(await page("before=6&limit=3")).toEqual([3, 4, 5]);
    expect(await page("before=3&limit=3")).toEqual([1, 2]);
    expect(await page("before=1")).toEqual([]);
    expect(await page("limit=10000")).toHaveLength(8);
    const { logId } = (await world.http("GET", path)).body;
    const subscribed = await client.subscribe(session.id, { tail: 1 });
    expect(subscribed).toMatchObject({ lastSeq: 8, logId });
  },
);

verifies(
  [],
  "a held look at an interaction is answered when it ends, or when its time is over",
  { tools: [approvalTool] },
  async (world) => {
    const { session, client } = await world.conversation();
    const turn = await callTool(client, session.id, "t_ask");
    const request = await turn.request();
    const path = `/api/interactions/${request.payload.interactionId}`;
    const patient = world.http("GET", `${path}?wait=60`);
    const hasty = world.http("GET", `${path}?wait=1`);
    // Held as well; it is sent last, so what came before it has arrived when it is answered.
    await world.http("GET", path);
    await world.advance(1_000);
    expect((await hasty).body).toMatchObject({ status: "pending", waiting: "live" });
    await client.answer(request, { action: "approve", responseId: "r1" });
    const record = (await patient).body;
    expect(record).toMatchObject({
      id: request.payload.interactionId,
      status: "answered",
      request: request.payload,
      response: { action: "approve", answerId: "r1" },
      endedAt: expect.any(String),
    });
    // What the tool made of it may have come since.
    expect((await world.http("GET", `${path}?wait=60`)).body).toMatchObject(record);
  },
);
