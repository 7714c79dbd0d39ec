import { createBeckon, defineTool } from "../../src/beckon.ts";
import { Client } from "../scenarios/client.ts";

const quiet = { info() {}, warn() {}, error() {} };

/** Asks before it does, and lets its input be edited; signing in takes a secret. */
const tools = [
  defineTool<{ target?: string }>({
    name: "deploy",
    description: "Deploys.",
    parameters: { type: "object" },
    handler: (_args, ctx) =>
      ctx.requestInteraction({
        type: "approval",
        prompt: "Deploy?\u001b[2J",
        editable: true,
        onResponse: ({ action }) => ({ complete: action }),
      }),
  }),
  defineTool({
    name: "login",
    description: "Signs in.",
    parameters: { type: "object" },
    handler: (_args, ctx) =>
      ctx.requestInteraction({
        type: "input",
        prompt: "Sign in",
        inputSchema: {
          type: "form",
          fields: [
            { id: "user", type: "text", label: "User" },
            { id: "password", type: "secret", label: "Password" },
          ],
        },
        onResponse: () => ({ complete: "in" }),
      }),
  }),
];

export const SECRET = "hunter2-correct-horse";

export interface AuditedSessions {
  deploys: string;
  logins: string;
  deleted: string;
}

/** A data directory in which people decided this and that, in three sessions, one deleted since. */
export async function makeAuditedData(dataDir: string): Promise<AuditedSessions> {
  const beckon = await createBeckon({ dataDir, tools, log: quiet });
  const { url } = await beckon.listen({ host: "127.0.0.1", port: 0 });
  const interaction = { supported: true, enabled: true };
  const hello = { interaction, client: { id: "phone" } };
  const client = await Client.connect(url, beckon.ownerToken, hello);

  async function converse(...turns: [message: string, answer: Record<string, unknown>][]) {
    const response = await fetch(`${url}/api/sessions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${beckon.ownerToken}`,
        "content-type": "application/json",
      },
      body: "{}",
    });
    const { id } = (await response.json()) as { id: string };
    await client.subscribe(id);
    for (const [message, answer] of turns) {
      const { length } = client.events(id);
      await client.say(id, message);
      const request = await client.event(
        "interaction_request",
        (_payload, event) => event.sessionId === id && event.seq > length,
      );
      const reply = await client.answer(request, answer);
      if (reply["ok"] !== true) throw new Error(JSON.stringify(reply));
      await client.event(
        "turn_end",
        (_payload, event) => event.sessionId === id && event.seq > request.seq,
      );
    }
    return id;
  }

  const deploys = await converse(
    ["/call deploy {}", { action: "approve", approvalScope: "session" }],
    ['/call deploy {"target":"here"}', { action: "approve", updatedInput: { target: "there" } }],
    ["/call deploy {}", { action: "deny", reason: "Not\u0007 now" }],
  );
  const signIn = { action: "submit", input: { user: "ann", password: SECRET } };
  const logins = await converse(["/call login {}", signIn]);
  const deleted = await converse(["/call deploy {}", { action: "deny", stop: true }]);
  await fetch(`${url}/api/sessions/${deleted}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${beckon.ownerToken}` },
  });
  await client.close();
  await beckon.close();
  return { deploys, logins, deleted };
}
