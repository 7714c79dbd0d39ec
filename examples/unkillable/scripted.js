import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { Window } from "./window.js";

/**
 * A person with two windows who reads each prompt for a moment and answers it in both, whatever
 * happens in the other: like somebody whose finger is on the button already.
 *
 * @param {{ connect: import("./demo.js").Connect, sessionId: string }} demo
 * @param {{ thinkMs: number, onSecret: (secret: string) => void }} options
 */
export async function scriptedWindows({ connect, sessionId }, { thinkMs, onSecret }) {
  const secret = `demo-${randomBytes(16).toString("hex")}`;
  onSecret(secret);
  /** @param {import("./window.js").Request} request */
  const decide = async (request) => {
    await delay(thinkMs * (0.3 + Math.random()));
    return answerTo(request, secret);
  };
  return [
    new Window({ api: await connect("window 1"), sessionId, decide }),
    new Window({ api: await connect("window 2"), sessionId, decide }),
  ];
}

/**
 * @param {import("./window.js").Request} request
 * @param {string} secret
 * @returns {import("./window.js").Answer}
 */
function answerTo(request, secret) {
  const { interactionType, inputSchema, questions, attempt } = request;
  if (interactionType === "approval") return { action: "approve" };
  if (questions) {
    return { action: "submit", input: { answers: { 0: "Customers", 1: '["Linux","macOS"]' } } };
  }
  if (inputSchema.fields[0].type === "secret")
    return { action: "submit", input: { token: secret } };
  if (attempt === 1) {
    const wrong = { tag: "latest", channel: "beta", share: 25, notes: "Typed once." };
    return { action: "submit", input: wrong };
  }
  // Only the wrong value is typed again: the others must have been kept.
  const { placeholder } = inputSchema.fields[0];
  return { action: "submit", input: { ...inputSchema.initialValues, tag: placeholder } };
}
