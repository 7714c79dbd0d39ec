import { openStage } from "./stage.js";

/**
 * Starts a server with an example, lets the demo agent call its tool, and tells what happens until
 * Ctrl+C.
 *
 * @param {{
 *   message: string,
 *   next: () => string,
 *   plugins?: string[],
 *   tools?: import("beckon").ToolDefinition[],
 * }} example `message` goes to the demo agent; `next` says what to try after each call
 */
export async function tryIt({ message, next, plugins, tools }) {
  const stage = await openStage({ plugins, tools });
  console.log(await stage.invitation());
  await stage.say(message);
  for await (const { type, payload } of stage.events()) {
    if (type === "interaction_request") console.log(asked(payload));
    if (type === "interaction_response") console.log(`Somebody answered: ${payload.action}`);
    if (type === "tool_result") console.log(`${told(payload)}\n\n${next()}\n`);
  }
  await stage.close();
}

/** @param {import("beckon/protocol").InteractionRequest} request */
function asked({ toolName, attempt, error }) {
  return attempt === 1 ? `${toolName} asks, and waits.` : `${toolName} asks again: ${error}`;
}

/** @param {{ toolName: string, ok: boolean, result?: unknown, error?: any }} end */
function told({ toolName, ok, result, error }) {
  if (ok) return `${toolName} returned ${JSON.stringify(result)}`;
  return `${toolName} ended without a result (${error.code}): ${error.message}`;
}
