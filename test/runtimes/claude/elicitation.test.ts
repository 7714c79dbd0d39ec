import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { latest, says, toolUse } from "../../../src/testing/index.ts";
import { ClaudeHouse } from "./claude-house.ts";

/** An MCP server that asks in the middle of its one tool, by hand: a form, then a link. */
const SERVER = `
import { createInterface } from "node:readline";
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const schema = {
  type: "object",
  properties: {
    name: { type: "string", title: "Name" },
    size: { type: "string", enum: ["s", "l"], enumNames: ["Small", "Large"] },
    count: { type: "integer", minimum: 1, maximum: 9 },
    agreed: { type: "boolean" },
    mail: { type: "string", format: "email" },
    extras: { type: "array", minItems: 1, maxItems: 1, items: { type: "string", enum: ["milk", "sugar"] } },
  },
  required: ["name"],
};
let call;
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === "initialize") {
    const serverInfo = { name: "asker", version: "1" };
    send({ id, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo } });
  } else if (method === "tools/list") {
    const inputSchema = { type: "object", properties: { how: { type: "string" } } };
    send({ id, result: { tools: [{ name: "order", description: "Orders", inputSchema }] } });
  } else if (method === "tools/call") {
    call = id;
    const form = { mode: "form", message: "What shall it be?", requestedSchema: schema };
    const url = { mode: "url", message: "Pay here.", url: "https://example.com/pay", elicitationId: "e1" };
    send({ id: "ask", method: "elicitation/create", params: params.arguments.how === "url" ? url : form });
  } else if (id === "ask") {
    send({ id: call, result: { content: [{ type: "text", text: JSON.stringify(result) }] } });
  } else if (id !== undefined) {
    send({ id, error: { code: -32601, message: "Unknown method" } });
  }
});
`;

let house: ClaudeHouse;
beforeAll(async () => {
  house = await ClaudeHouse.open((folder) => {
    const path = join(folder, "asker.mjs");
    writeFileSync(path, SERVER);
    const asker = { type: "stdio", command: process.execPath, args: [path] };
    return { extra: { mcpServers: { asker }, allowedTools: ["mcp__asker__order"] } };
  });
});
afterAll(() => house.close());

const order = (id: string, how: string) => [
  says(toolUse(id, "mcp__asker__order", { how })),
  says("Ordered."),
];

test("what an MCP server asks in the middle of a call is a form, and its values reach the server", async () => {
  const talk = await house.talk();
  house.model.answer(order("toolu_el1", "form"));
  await talk.say("order it");
  const request = await talk.prompt();
  expect(request.payload).toMatchObject({
    interactionType: "input",
    prompt: "What shall it be?",
    inputSchema: {
      fields: [
        { id: "name", type: "text", label: "Name", required: true },
        { id: "size", type: "select", options: [{ value: "s", label: "Small" }, { value: "l" }] },
        { id: "count", type: "number", min: 1, max: 9 },
        { id: "agreed", type: "boolean" },
        { id: "mail", type: "text" },
        { id: "extras", type: "multiselect" },
      ],
    },
  });
  expect(request.payload.context?.title).toBe("Asked by the MCP server asker");
  const input = { name: "Tea", size: "l", count: 2, agreed: true };
  const wrong = { ...input, mail: "nobody", extras: ["milk", "sugar"] };
  await talk.answer(request, { action: "submit", input: wrong });
  // The server would have refused it, and the model alone would have read why.
  const again = await talk.prompt(2);
  expect(again.payload).toMatchObject({
    attempt: 2,
    fieldErrors: { mail: "This must be an e-mail address.", extras: "Choose at most 1." },
  });
  await talk.answer(again, { action: "submit", input });
  expect(await talk.ended()).toBe("completed");
  const [result] = latest(house.model.requests.at(-1)!).results;
  expect(result?.text).toContain(JSON.stringify({ action: "accept", content: input }));
});

test("a link is a link, and who declines has declined", async () => {
  const talk = await house.talk();
  house.model.answer(order("toolu_el2", "url"));
  await talk.say("order it");
  const request = await talk.prompt();
  expect(request.payload.link).toEqual({ url: "https://example.com/pay" });
  await talk.answer(request, { action: "deny" });
  expect(await talk.ended()).toBe("completed");
  const [result] = latest(house.model.requests.at(-1)!).results;
  expect(result?.text).toContain('{"action":"decline"}');
});
