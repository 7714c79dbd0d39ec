import { defineTool } from "../../src/core/index.ts";
import { askingTool } from "../scenarios/tools.ts";
import { operate } from "../scenarios/turns.ts";
import type { World } from "../scenarios/world.ts";
import type { Edge } from "./edge.ts";
import { ENTRANCES, heardBy, LINES, replyOf, SILENT_LINES, withLine } from "./entrances.ts";
import { faces, listOf } from "./values.ts";

/** `t_decide`: asks for an approval. */
export const decideTool = askingTool("t_decide", () => ({
  type: "approval",
  approvalOptions: [{ id: "no", label: "No", decision: "deny" }],
  onResponse: ({ action }) => ({ complete: action }),
}));

type Body = (length: number) => Record<string, unknown>;

const text = (length: number) => "x".repeat(length);

/** Answers a prompt through HTTP and through frames. */
function answers(limit: Edge["limit"], what: string, body: Body, replies: Reply): Edge[] {
  const over = (name: string, answer: Answer, kind: keyof Reply): Edge => ({
    limit,
    through: `${what} of an answer by ${name}`,
    reach: (world, length) => answer(world, body(length)),
    ...replies[kind],
  });
  return [
    over("HTTP", answerByHttp, "http"),
    ...Object.keys(LINES).map((name) => over(name, answerBy(name), "frames")),
  ];
}
type Reply = Record<"http" | "frames", Pick<Edge, "within" | "beyond">>;
type Answer = (world: World, body: Record<string, unknown>) => Promise<string>;

async function openPrompt(world: World) {
  const { id: sessionId } = await world.session();
  return withLine(world.direct({}), async (client) => {
    await client.subscribe(sessionId);
    await client.say(sessionId, "/call t_decide {}");
    const { payload } = await client.event("interaction_request");
    return { sessionId, callId: payload.toolCallId, interactionId: payload.interactionId };
  });
}

const answerByHttp: Answer = async (world, body) => {
  const { interactionId } = await openPrompt(world);
  return replyOf(await world.http("POST", `/api/interactions/${interactionId}/respond`, body));
};

const answerBy =
  (line: string): Answer =>
  async (world, body) => {
    const prompt = await openPrompt(world);
    return withLine(LINES[line]!(world), async (client) => {
      client.send({ type: "tool_interaction_response", ...prompt, ...body });
      return heardBy(client, (frame) => frame.type === "interaction_result");
    });
  };

const invalid: Reply = {
  http: { beyond: "400 invalid_request" },
  frames: { beyond: "error invalid_request" },
};

/** A message with further keys, at every door. */
function messages(limit: Edge["limit"], what: string, body: Body): Edge[] {
  return ENTRANCES.map((entrance) => ({
    limit,
    through: `${what} of a message by ${entrance.name}`,
    beyond: `${entrance.kind === "http" ? "400" : "error"} invalid_request`,
    async reach(world, length) {
      const { id } = await world.session();
      return entrance.send(
        world,
        id,
        JSON.stringify({ ...entrance.message(id, "hello"), ...body(length) }),
      );
    },
  }));
}

/** One frame to a client that has said hello. */
function frames(limit: Edge["limit"], what: string, body: Body, within?: string): Edge[] {
  return Object.entries(LINES).map(([name, open]) => ({
    limit,
    through: `${what} by ${name}`,
    within,
    beyond: "error invalid_request",
    reach: (world, length) =>
      withLine(open(world), async (client) => {
        client.send({ type: "", ...body(length) });
        return heardBy(client, (frame) => frame.type === "ack" || frame.type === "pong");
      }),
  }));
}

function hellos(limit: Edge["limit"], what: string, body: Body): Edge[] {
  return Object.entries(SILENT_LINES).map(([name, open]) => ({
    limit,
    through: `${what} in a hello by ${name}`,
    beyond: "error invalid_request",
    reach: (world, length) =>
      withLine(open(world), async (client) => {
        client.send({ type: "hello", protocolVersion: 1, ...body(length) });
        return heardBy(client, (frame) => frame.type === "welcome");
      }),
  }));
}

/** One request over HTTP. */
function http(
  limit: Edge["limit"],
  through: string,
  request: (world: World, length: number) => Promise<{ status: number; body: unknown }>,
  within?: string,
): Edge {
  const reach: Edge["reach"] = async (world, length) => replyOf(await request(world, length));
  const beyond = "400 invalid_request";
  return { limit, through: `${through} by HTTP`, beyond, reach, ...(within ? { within } : {}) };
}

const patch = async (world: World, body: unknown) =>
  world.http("PATCH", `/api/sessions/${(await world.session()).id}`, body);

/** Names, ids and short texts. */
export const NAME_EDGES: Edge[] = [
  ...messages("idCharacters", "the id", (length) => ({ messageId: text(length) })),
  ...answers("idCharacters", "the id", (n) => ({ action: "deny", responseId: text(n) }), invalid),
  ...hellos("idCharacters", "the client's id", (length) => ({ client: { id: text(length) } })),
  ...hellos("idCharacters", "the client's version", (length) => ({
    client: { id: "a", version: text(length) },
  })),
  http(
    "idCharacters",
    "the id of a call",
    async (world, length) =>
      operate(
        world,
        (await world.session()).id,
        "ask_nobody",
        {},
        { "x-tool-call-id": text(length) },
      ),
    "unknown_tool",
  ),
  http("idCharacters", "a client's id in a header", async (world, length) => {
    const { interactionId } = await openPrompt(world);
    const headers = { "x-client-id": text(length) };
    const path = `/api/interactions/${interactionId}/respond`;
    return world.http("POST", path, { action: "deny" }, headers);
  }),
  {
    limit: "idCharacters",
    through: "a tool's name",
    beyond: "refused",
    async reach(_world, length) {
      const tool = { name: text(length), description: "", parameters: {}, handler() {} };
      try {
        return defineTool(tool) && "accepted";
      } catch {
        return "refused";
      }
    },
  },
  ...answers("reasonCharacters", "a reason", (n) => ({ action: "deny", reason: text(n) }), invalid),
  ...answers("referenceCharacters", "a choice", (n) => ({ action: "deny", optionId: text(n) }), {
    http: { within: "422 invalid_response", beyond: "400 invalid_request" },
    frames: { within: "error invalid_response", beyond: "error invalid_request" },
  }),
  ...hellos("referenceCharacters", "the client's name", (length) => ({
    client: { id: "a", name: text(length) },
  })),
  ...frames("referenceCharacters", "a ref", (length) => ({ type: "ping", ref: text(length) })),
  ...frames(
    "referenceCharacters",
    "a session's id",
    (length) => ({ type: "subscribe", sessionId: text(length) }),
    "error session_not_found",
  ),
  ...frames(
    "referenceCharacters",
    "a turn's id",
    (length) => ({ type: "cancel", sessionId: "none", turnId: text(length) }),
    "error session_not_found",
  ),
  http(
    "referenceCharacters",
    "a session's id in a header",
    (world, length) => operate(world, text(length), "ask_user"),
    "404 session_not_found",
  ),
  http("referenceCharacters", "a turn's id", async (world, length) =>
    world.http("POST", `/api/sessions/${(await world.session()).id}/cancel`, {
      turnId: text(length),
    }),
  ),
  http(
    "referenceCharacters",
    "a sign-in code",
    (world, length) => world.http("POST", "/api/auth/exchange", { code: text(length) }),
    "401 unauthorized",
  ),
  http(
    "queryCharacters",
    "a session's id in the address",
    (world, length) => world.http("GET", `/api/interactions?sessionId=${text(length)}`),
    "404 session_not_found",
  ),
  http("queryCharacters", "the beginning of a prompt's id", (world, length) =>
    world.http("GET", `/api/interactions?begins=${text(length)}`),
  ),
  http("titleCharacters", "a new title", (world, n) =>
    world.http("POST", "/api/sessions", { title: text(n) }),
  ),
  http("titleCharacters", "another title", (world, length) =>
    patch(world, { title: text(length) }),
  ),
  http("titleCharacters", "a title of emoji", (world, length) =>
    patch(world, { title: faces(length) }),
  ),
  http("cwdCharacters", "a folder", (world, n) =>
    world.http("POST", "/api/sessions", { cwd: text(n) }),
  ),
  ...hellos("helloSubscriptions", "subscriptions", (count) => ({
    subscriptions: listOf(count, (index) => ({ sessionId: `s${index}` })),
  })),
];
