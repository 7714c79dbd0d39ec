import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { connect } from "./client.js";

const url = process.env["BECKON_URL"] ?? "http://127.0.0.1:4780";
const token = process.env["BECKON_TOKEN"] ?? readOwnerToken();
const sessionId = process.argv[2] ?? (await createSession());
console.error('Write a message, such as /call ask_user {"question":"Which colour?"}');

/** @type {any} the prompt that waits */
let asked;

const client = connect({
  url,
  token,
  sessionId,
  onEvent({ seq, type, payload }) {
    const isAsked = type === "interaction_request";
    console.log(seq, type, isAsked ? question(payload) : (payload.text ?? ""));
    if (isAsked) asked = payload;
    if (type === "interaction_pending" && !payload.pending) asked = undefined;
  },
});

for await (const line of createInterface({ input: process.stdin })) {
  if (asked) client.send({ ...answer(line), responseId: randomUUID() });
  else client.send({ type: "user_message", sessionId, text: line, messageId: randomUUID() });
}
client.close();

/**
 * What a line will answer. Nobody should approve what they were not shown.
 *
 * @param {any} request
 */
function question({ interactionType, prompt, inputSchema, ...call }) {
  if (interactionType === "input") {
    return prompt ?? inputSchema?.fields?.[0]?.label ?? "";
  }
  const input = JSON.stringify(call.toolInput) ?? `(${call.toolInputBytes} bytes of input)`;
  return [prompt, `Allow ${call.toolName}? (y) ${input}`].filter(Boolean).join("\n");
}

/** @param {string} line `y` approves; any other line is why not, or what goes into the first field */
function answer(line) {
  const { toolCallId: callId, interactionId, interactionType, inputSchema } = asked;
  const to = { type: "tool_interaction_response", sessionId, callId, interactionId };
  if (interactionType === "input") {
    return { ...to, action: "submit", input: { [inputSchema.fields[0].id]: line } };
  }
  return line === "y" ? { ...to, action: "approve" } : { ...to, action: "deny", reason: line };
}

function readOwnerToken() {
  try {
    return readFileSync(join(homedir(), ".beckon", "token"), "utf8").trim();
  } catch {
    return thereIsNoServer();
  }
}

/** @returns {never} */
function thereIsNoServer() {
  console.error(`There is no server at ${url}. Start one in another terminal: npm start`);
  process.exit(1);
}

async function createSession() {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const created = fetch(`${url}/api/sessions`, { method: "POST", headers, body: "{}" });
  const { id, error } = await (await created.catch(thereIsNoServer)).json();
  if (error) throw new Error(error);
  return id;
}
