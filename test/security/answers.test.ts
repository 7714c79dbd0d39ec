import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Client, EventOf } from "../scenarios/client.ts";
import { House } from "./house.ts";
import { bearer, inWords } from "./wire.ts";

let house: House;
let client: Client;
let request: EventOf<"interaction_request">;
let asked = 0;
beforeAll(async () => {
  house = await House.build();
  client = await house.connect(house.owner);
  await client.subscribe(house.withNames("$quiet"));
});
afterAll(() => house.close());

/** A fresh prompt in a session of its own for each case. */
async function ask(tool: string): Promise<void> {
  await client.say(house.withNames("$quiet"), `/call ${tool} {}`);
  request = await client.event("interaction_request", ++asked);
}

async function byHttp(body: object) {
  const headers = { ...bearer(house.owner), "content-type": "application/json" };
  const path = `/api/interactions/${request.payload.interactionId}/respond`;
  return house.send(`POST ${path}`, headers, JSON.stringify(body));
}

async function settle(): Promise<void> {
  await byHttp({ action: request.payload.interactionType === "approval" ? "deny" : "cancel" });
  await client.event("turn_end", asked);
}

/** What a client might say of itself, of others, or of what was decided. */
const CLAIMS: [what: string, more: Record<string, unknown>][] = [
  ["approved", { approved: true }],
  ["decision", { decision: "approve", verdict: "decided", status: "answered" }],
  ["role", { role: "owner", kind: "person" }],
  ["scope", { scope: "always" }],
  ["principalId", { principalId: "somebody", tokenId: "x", by: "somebody" }],
  ["responder", { responder: { id: "somebody", name: "Somebody else" } }],
  ["via", { via: "direct" }],
  ["late", { late: true }],
  ["authorizedBy", { authorizedBy: "policy", authorized_by: "policy" }],
  ["secretFields", { secretFields: ["name"] }],
  ["answerId", { answerId: "mine", id: "mine" }],
  ["timestamp", { timestamp: "1999-01-01T00:00:00.000Z", createdAt: 1, seq: 999 }],
  ["toolInput", { toolInput: { evil: true }, effectiveInput: { evil: true } }],
  ["clientId", { clientId: "somebody's" }],
];

describe.each(CLAIMS)("an answer that claims %s", (_what, more) => {
  beforeEach(() => ask("house_approval"));

  test.each(["HTTP", "the socket"])("is taken by %s for what it does, and no more", async (by) => {
    const body = { action: "deny", reason: "no", ...more };
    const { payload } = request;
    if (by === "HTTP") expect(inWords(await byHttp(body))).toBe("200 ok");
    else expect(await client.answer(request, body)).toMatchObject({ ok: true });
    await client.event("turn_end", asked);
    const record = await house.send(`GET /api/interactions/${payload.interactionId}`, {
      ...bearer(house.owner),
    });
    const { answerId, ...response } = record.body.response;
    expect(answerId).not.toBe("mine");
    expect(response).toEqual({
      toolCallId: payload.toolCallId,
      interactionId: payload.interactionId,
      action: "deny",
      reason: "no",
      responder: { id: "owner", name: "Owner" },
    });
    const result = await client.event("tool_result", asked);
    expect(result.payload.result).toEqual({ action: "deny" });
    expect(JSON.stringify(record.body)).not.toMatch(/somebody|evil|1999/);
  });
});

describe("an answer that was not offered", () => {
  const NOT_OFFERED: [what: string, tool: string, body: Record<string, unknown>][] = [
    ["scope session", "house_approval", { action: "approve", approvalScope: "session" }],
    ["scope always", "house_approval", { action: "approve", approvalScope: "always" }],
    ["scope always beside others", "house_choice", { action: "approve", approvalScope: "always" }],
    ["an option where there are none", "house_approval", { action: "approve", optionId: "yes" }],
    ["an option of another prompt", "house_choice", { action: "approve", optionId: "all" }],
    ["an option that means the opposite", "house_choice", { action: "approve", optionId: "no" }],
    ["an option called __proto__", "house_choice", { action: "approve", optionId: "__proto__" }],
    ["edited input", "house_approval", { action: "approve", updatedInput: { evil: true } }],
    ["an action of forms", "house_approval", { action: "submit", input: {} }],
    ["an approval of a form", "house_form", { action: "approve" }],
    ["a value of a select", "house_form", { action: "submit", input: { name: "a", size: "xl" } }],
    ["a field", "house_form", { action: "submit", input: { name: "a", admin: true } }],
    [
      "a field called toString",
      "house_form",
      { action: "submit", input: { name: "a", toString: 1 } },
    ],
    ["an object for a text", "house_form", { action: "submit", input: { name: { $ne: 1 } } }],
    ["a list for a text", "house_form", { action: "submit", input: { name: ["a"] } }],
    ["a stop with a yes", "house_approval", { action: "approve", stop: true }],
  ];
  test.each(NOT_OFFERED)("(%s) leaves the prompt open and nothing stored", async (...given) => {
    const [, tool, body] = given;
    await ask(tool);
    const path = `GET /api/interactions/${request.payload.interactionId}`;
    const before = (await house.send(path, bearer(house.owner))).body;
    expect(inWords(await byHttp(body))).toBe("422 invalid_response");
    expect(await client.answer(request, body)).toMatchObject({ code: "invalid_response" });
    expect((await house.send(path, bearer(house.owner))).body).toEqual(before);
    await settle();
  });
});
