/* Asks people whether to publish, and waits for their word. Needs nothing but Node. */

const { BECKON_URL, BECKON_TOKEN, BECKON_TOOL_CALL_ID } = process.env;

/**
 * @param {string} path
 * @param {object} [body]
 */
async function beckon(path, body) {
  const response = await fetch(`${BECKON_URL}/api${path}`, {
    method: body ? "POST" : "GET",
    headers: { authorization: `Bearer ${BECKON_TOKEN}`, "content-type": "application/json" },
    body: body && JSON.stringify(body),
  });
  const reply = await response.json();
  if (!response.ok) throw new Error(reply.error);
  return reply;
}

// Ask. Run again with the same requestId, it finds the prompt that is there, or its answer.
let prompt = await beckon("/interactions", {
  requestId: "release-1-2-0",
  type: "approval",
  toolName: "release",
  prompt: "Publish 1.2.0?",
  toolInput: { version: "1.2.0" },
  caller: { toolCallId: BECKON_TOOL_CALL_ID },
});

// Wait for the answer, up to a minute at a time.
while (prompt.status === "pending") prompt = await beckon(`/interactions/${prompt.id}?wait=60`);

console.log(prompt.status, prompt.response?.action);
