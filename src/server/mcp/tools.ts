import { z } from "zod";
import { type CallEnd, Departure, type ToolDefinition, type Who } from "../../core/index.ts";
import { canonicalJson, ForeignId, ProtocolError } from "../../protocol/index.ts";
import type { ServerParts } from "../parts.ts";
import { ASK_TOOLS, type AskTool } from "./ask-tools.ts";
import { type Outcome, outcomeOfAsk, outcomeOfCall } from "./outcome.ts";
import type { Unheard } from "./unheard.ts";

/** Who calls tools over MCP, and how. */
export interface Caller {
  who: Who;
  /** Tells the programs of one credential apart. */
  clientId: string | undefined;
  /** Of the message that is answered: the same again is the same call. */
  requestId: string | undefined;
  /** The call of an agent that started the program, as its environment has it. */
  callerId: string | undefined;
  /** An agent's runtime calls for its turn, and waits for as long as that takes. */
  isRuntime: boolean;
}

export interface ToolUse {
  name: string;
  args: Record<string, unknown>;
  /** How long it may take before it says that people have not answered yet. */
  waitMs: number;
  /** When the client no longer wants to know. */
  gone: Departure;
  /** The call that this one goes on with. */
  goesOn?: string | undefined;
  /** How the runtime calls it. */
  nativeId?: string | undefined;
}

type Ports = Pick<ServerParts, "clock" | "core" | "ids"> & { unheard: Unheard };

const WAIT = "wait_for_answer";
const WaitArguments = z.object({ id: ForeignId.describe("The `id` of a reply that was pending") });
/** The built-in tools of those who are bound to a session. */
const QUESTIONS = new Set(["ask_user", "ask_questions"]);
/** So that clients let several of one message wait side by side. */
const ONLY_ASKS = { readOnlyHint: true };
/** Calls that were made over MCP have ids that no prompt has. */
const CALL = "mcp-";

/** What a caller may call: an agent's program in its session, anybody else in sessions of its own. */
export function listTools({ core }: Pick<ServerParts, "core">, { who, isRuntime }: Caller) {
  const ask = Object.entries(ASK_TOOLS).map(([name, { description, parameters }]) => ({
    name,
    description,
    inputSchema: toJsonSchema(parameters),
    annotations: ONLY_ASKS,
  }));
  const wait = {
    name: WAIT,
    description: "Waits on for an answer that was pending. Call it again while it still is.",
    inputSchema: toJsonSchema(WaitArguments),
    annotations: ONLY_ASKS,
  };
  const own = ownTools(core.tools.list(), who).map(toTool);
  return [...(isBound(who) ? [] : ask), ...(isRuntime ? [] : [wait]), ...own];
}

function toTool({ name, description, parameters, onlyAsks = QUESTIONS.has(name) }: ToolDefinition) {
  const inputSchema = { ...parameters, type: "object" as const };
  const tool = { name, description, inputSchema };
  return onlyAsks ? { ...tool, annotations: ONLY_ASKS } : tool;
}

const isBound = ({ sessionId }: Who) => sessionId !== null;

function ownTools(tools: ToolDefinition[], who: Who): ToolDefinition[] {
  return tools.filter(
    ({ name, plugin }) => plugin !== undefined || (isBound(who) && QUESTIONS.has(name)),
  );
}

function toJsonSchema(schema: z.ZodType) {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return { ...rest, type: "object" as const };
}

/** Calls a tool. Undefined if there is none of that name for this caller. */
export function callTool(ports: Ports, caller: Caller, use: ToolUse): Promise<Outcome> | undefined {
  const { name } = use;
  if (name === WAIT) return waitForAnswer(ports, caller, use);
  if (!isBound(caller.who) && Object.hasOwn(ASK_TOOLS, name)) {
    return askPeople(ports, caller, ASK_TOOLS[name] as AskTool, use);
  }
  const isOwn = ownTools(ports.core.tools.list(), caller.who).some((tool) => tool.name === name);
  return isOwn ? runTool(ports, caller, use) : undefined;
}

/**
 * The same question of the same program is one prompt until its answer has arrived there: a client
 * that was cut off asks again and finds it.
 */
async function askPeople(
  { core, ids, unheard }: Ports,
  { who, clientId = "" }: Caller,
  tool: AskTool,
  { name, args, waitMs, gone }: ToolUse,
): Promise<Outcome> {
  const prompt = tool.toPrompt(args);
  const requestId = `${CALL}${ids.digest(canonicalJson([clientId, name, args])).slice(0, 40)}`;
  await unheard.settled(`${who.principalId}/${requestId}`);
  const question = { requestId, untilHeard: true, toolName: name, origin: "mcp", prompt } as const;
  const record = await core.askAndWait(who, question, gone, waitMs);
  return outcomeOfAsk(tool, record, `${who.principalId}/${requestId}`);
}

async function runTool(
  { clock, core, ids }: Ports,
  { who, requestId, callerId, isRuntime }: Caller,
  { name, args, waitMs, gone, goesOn, nativeId }: ToolUse,
): Promise<Outcome> {
  const toolCallId = goesOn ?? `${CALL}${requestId ?? ids.next()}`;
  const sessionId = await core.ownSession(who);
  // What goes on after it was told as pending is not withdrawn when the line breaks.
  const left = new Departure();
  const stopHearing = gone.hear(() => left.leave());
  const ending = core.callTool(who, {
    sessionId,
    toolName: name,
    input: args,
    toolCallId,
    ...(callerId === undefined ? {} : { caller: { toolCallId: callerId } }),
    ...(isRuntime ? { ofTurn: nativeId === undefined ? {} : { nativeId } } : {}),
    origin: "mcp",
    gone: left,
  });
  const end = await withinTime(clock, waitMs, ending);
  stopHearing();
  return end ? outcomeOfCall(end) : { pending: toolCallId };
}

function withinTime(
  clock: ServerParts["clock"],
  ms: number,
  ending: Promise<CallEnd>,
): Promise<CallEnd | undefined> {
  return new Promise((resolve, reject) => {
    const stop = clock.timer(ms, () => resolve(undefined));
    // Once it was told as pending, its end is found in the store.
    void ending.then(resolve, reject).finally(stop);
  });
}

async function waitForAnswer(
  { core }: Ports,
  { who }: Caller,
  { args, waitMs, gone }: ToolUse,
): Promise<Outcome> {
  const { id } = WaitArguments.parse(args);
  if (id.startsWith(CALL)) {
    const call = { sessionId: await core.ownSession(who), toolCallId: id };
    const end = await core.callEnd(who, call, { waitMs, gone });
    return end ? outcomeOfCall(end) : { pending: id };
  }
  const record = await core.interaction(who, id, { waitMs, gone });
  const tool = ASK_TOOLS[record.toolName];
  if (!tool) throw new ProtocolError("not_found", `You have asked nothing with the id "${id}".`);
  return outcomeOfAsk(tool, record);
}
