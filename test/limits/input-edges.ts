import { type AgentRuntime, defineTool } from "../../src/core/index.ts";
import { askingTool } from "../scenarios/tools.ts";
import { operate } from "../scenarios/turns.ts";
import type { World } from "../scenarios/world.ts";
import type { Edge } from "./edge.ts";
import { LINES, replyOf, withLine } from "./entrances.ts";
import { euros, listOf, sizedJson } from "./values.ts";

/** `t_look`: asks whether its input is good. */
export const lookTool = askingTool("t_look", () => ({
  type: "approval",
  onResponse: () => ({ complete: "seen" }),
}));

/** `t_change`: asks about changes of so many bytes. */
export const changeTool = askingTool<{ bytes: number }>("t_change", ({ bytes }) => ({
  type: "approval",
  changes: changesOf(bytes),
  onResponse: () => ({ complete: "seen" }),
}));

function changesOf(bytes: number) {
  const change = { path: "a", kind: "add" as const, newText: "" };
  const bare = JSON.stringify([change]).length;
  return [{ ...change, newText: "x".repeat(bytes - bare) }];
}

/** `t_take`: takes any input. */
export const takeTool = defineTool({
  name: "t_take",
  description: "Takes what it gets.",
  parameters: { type: "object" },
  handler: () => "taken",
});

/** `t_list`: takes a list, of which each item is one step. */
export const listTool = defineTool({
  name: "t_list",
  description: "Takes a list.",
  parameters: { type: "object", properties: { list: { items: true } } },
  handler: () => "taken",
});

/** What the agent is to hand to its tool, by the message that starts its turn. */
const inputs = new Map<string, { tool: string; input: unknown }>();

/** An agent of which each turn is one call, with an input that no message could carry. */
export const callingAgent: AgentRuntime = {
  id: "calling",
  name: "Calling",
  description: "Makes one call.",
  capabilities: { reenter: "none", steer: false },
  async run(turn) {
    const { tool, input } = inputs.get(turn.message.text)!;
    const end = await turn.call(tool, input);
    await turn.text(end.ok ? "accepted" : end.error.code);
    return { status: "completed" };
  },
};

/** Follows a session through an event that says how it went. */
async function follow(
  world: World,
  agent: string,
  begin: (sessionId: string) => unknown,
  read: (event: any) => string | undefined,
): Promise<string> {
  const { id: sessionId } = await world.session({ agent });
  return withLine(world.direct({}), async (client) => {
    await client.subscribe(sessionId);
    void begin(sessionId);
    const frame = await client.until((one) => !!one["event"] && read(one["event"]) !== undefined);
    return read(frame["event"])!;
  });
}

/** How the prompt shows the input of its call. */
const shownIn = (event: any) => {
  if (event.type !== "interaction_request") return undefined;
  return event.payload.toolInput === undefined
    ? `counted ${event.payload.toolInputBytes}`
    : "inline";
};
/** How the prompt shows the changes of its call. */
const changesIn = (event: any) => {
  if (event.type !== "interaction_request") return undefined;
  return event.payload.changes === undefined ? `counted ${event.payload.changesBytes}` : "inline";
};
const said = (event: any) => (event.type === "text" ? event.payload.text : undefined);
const askedOrEnded = (event: any) => {
  if (event.type === "interaction_request") return "accepted";
  return event.type === "tool_result" ? event.payload.error.code : undefined;
};

function byAgent(tool: string, input: (bytes: number) => unknown, read: (event: any) => any) {
  return async (world: World, bytes: number) => {
    const name = `${tool} ${bytes}`;
    inputs.set(name, { tool, input: input(bytes) });
    const begin = (id: string) =>
      world.http("POST", `/api/sessions/${id}/messages`, { content: name });
    return follow(world, "calling", begin, read);
  };
}

const sized = (bytes: number) => JSON.parse(sizedJson({}, bytes)) as Record<string, unknown>;
const inline = { limit: "inlineToolInputBytes", within: "inline" } as const;

/** An event of a hook for which nobody is asked. */
const IDLE_HOOK = { hook_event_name: "Stop" };

/** How a built-in tool's arguments come in. */
const BUILTIN: Record<string, (world: World, id: string, tool: string, input: any) => unknown> = {
  HTTP: (world, id, tool, input) =>
    operate(world, id, tool as "ask_user", input).catch(() => undefined),
  ...Object.fromEntries(
    Object.entries(LINES).map(([name, open]) => [
      name,
      (world: World, id: string, tool: string, input: any) =>
        withLine(open(world), (client) => client.say(id, `/call ${tool} ${JSON.stringify(input)}`)),
    ]),
  ),
};

function builtin(limit: Edge["limit"], tool: string, input: (count: number) => unknown): Edge[] {
  return Object.entries(BUILTIN).map(([name, call]) => ({
    limit,
    through: `${tool} by ${name}`,
    beyond: "invalid_arguments",
    reach: (world, count) =>
      follow(world, "demo", (id) => call(world, id, tool, input(count)), askedOrEnded),
  }));
}

/** An answer to two fields with patterns, which is read in exactly so many steps. */
async function answerInSteps(world: World, steps: number): Promise<string> {
  const field = (id: string, size: number) => ({
    id,
    type: "textarea",
    label: "Text",
    pattern: `${"^".repeat(size - 7)}.*`,
  });
  const length = Math.floor((steps - 500) / 100);
  const inputSchema = {
    type: "form",
    fields: [field("long", 100), field("short", steps - 100 * length)],
  };
  const { body } = await world.http("POST", "/api/interactions", { type: "input", inputSchema });
  const input = { long: "x".repeat(length), short: "x" };
  const path = `/api/interactions/${body.id}/respond`;
  return replyOf(await world.http("POST", path, { action: "submit", input }));
}

const question = (index: number) => ({
  header: "Header",
  question: `Question ${index}?`,
  options: [{ label: "a" }, { label: "b" }],
  multiSelect: false,
});

/** What tools are given. */
export const INPUT_EDGES: Edge[] = [
  {
    limit: "toolInputBytes",
    through: "a call of an agent",
    beyond: "invalid_arguments",
    reach: byAgent("t_take", sized, said),
  },
  {
    limit: "schemaSteps",
    through: "a call of an agent",
    beyond: "invalid_arguments",
    // The arguments and their list are a step each.
    reach: byAgent("t_list", (steps) => ({ list: listOf(steps - 2, () => 0) }), said),
  },
  {
    limit: "toolInputBytes",
    through: "the body of a hook",
    beyond: "413 too_large",
    reach: async (world, bytes) =>
      replyOf(await world.http("POST", "/api/hooks/claude", sizedJson(IDLE_HOOK, bytes))),
  },
  {
    limit: "jsonStringBytes",
    through: "a text in the body of a hook, which may be a file",
    beyond: "accepted",
    reach: async (world, bytes) => {
      const body = { ...IDLE_HOOK, tool_input: { content: "x".repeat(bytes) } };
      return replyOf(await world.http("POST", "/api/hooks/claude", body));
    },
  },
  {
    ...inline,
    through: "a prompt for a call of an agent",
    beyond: "counted 65537",
    reach: byAgent("t_look", sized, shownIn),
  },
  {
    ...inline,
    through: "a prompt for a call of an agent, with three bytes a character",
    beyond: "counted 65537",
    reach: byAgent("t_look", (bytes) => ({ a: euros(bytes - 8) }), shownIn),
  },
  {
    ...inline,
    through: "a prompt for a call by HTTP",
    beyond: "counted 65537",
    reach: (world, bytes) =>
      follow(
        world,
        "demo",
        (id) => operate(world, id, "t_look", sized(bytes)).catch(() => {}),
        shownIn,
      ),
  },
  {
    ...inline,
    through: "what a prompt says of changes",
    beyond: "counted 65537",
    reach: byAgent("t_change", (bytes) => ({ bytes }), changesIn),
  },
  {
    limit: "toolInputBytes",
    through: "what a prompt says of changes",
    beyond: "invalid_request",
    reach: byAgent("t_change", (bytes) => ({ bytes }), askedOrEnded),
  },
  {
    limit: "patternSteps",
    through: "an answer to fields with patterns",
    beyond: "422 invalid_response",
    reach: answerInSteps,
  },
  ...builtin("options", "ask_user", (count) => ({
    question: "Which?",
    options: listOf(count, (index) => `option ${index}`),
  })),
  ...builtin("promptCharacters", "ask_user", (length) => ({ question: "x".repeat(length) })),
  ...builtin("questions", "ask_questions", (count) => ({ questions: listOf(count, question) })),
];
