import {
  createMcpHandler,
  createRequestStateCodec,
  inputRequired,
  ProtocolError as McpError,
  ProtocolErrorCode,
  type RequestStateCodec,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { Departure } from "../../core/index.ts";
import { toErrorBody } from "../errors.ts";
import type { ServerParts } from "../parts.ts";
import { type Answer, type Outcome, outcomeOfError, toToolResult } from "./outcome.ts";
import { keepTelling } from "./progress.ts";
import { type Caller, callTool, listTools } from "./tools.ts";
import { MCP } from "./timing.ts";
import type { Unheard } from "./unheard.ts";

/** One message of a caller, and what answering it needs. */
export interface Visit extends Caller {
  parts: ServerParts;
  unheard: Unheard;
  /** How long a call may take, where the client says. */
  waitMs: number | undefined;
  /** Signs what the client is to hand back. */
  secret: string;
  /** An answer goes out with this reply. */
  answers(answer: Answer): void;
}

/** What a client of 2026-07-28 hands back when it calls again. */
interface State {
  round: number;
  id: string;
}

const INSTRUCTIONS =
  "These tools ask people and wait for their answers. A reply { status: 'pending', id } means that " +
  "nobody has answered yet: call wait_for_answer with that id.";

/** Answers one message of either era of the protocol. The library checks neither token nor Origin. */
export function serve(visit: Visit, request: Request, message: unknown): Promise<Response> {
  const { parts, secret } = visit;
  const codec = createRequestStateCodec<State>({ key: secret, ttlSeconds: MCP.stateSeconds });
  const isCall = (message as { method?: unknown }).method === "tools/call";
  const handler = createMcpHandler(({ era }) => createServer(visit, codec, era === "modern"), {
    // A client that has to wait hears at once that it is being served.
    responseMode: isCall ? "sse" : "auto",
    onerror: (error) => parts.log.info({ error }, "an MCP message was not served"),
  });
  return handler.fetch(request, { parsedBody: message });
}

function createServer(visit: Visit, codec: RequestStateCodec<State>, isModern: boolean): Server {
  const { parts } = visit;
  const server = new Server(
    { name: "beckon", title: "Beckon", version: parts.version },
    {
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      requestState: { verify: (state, ctx) => codec.verify(state, ctx) },
    },
  );
  server.setRequestHandler("tools/list", () => ({ tools: listTools(parts, visit) }));
  server.setRequestHandler("tools/call", async ({ params }, ctx) => {
    const state = ctx.mcpReq.requestState<State>();
    const outcome = await outcomeOf(visit, params, ctx, state);
    if (!("pending" in outcome)) {
      if (outcome.answer) visit.answers(outcome.answer);
      return toToolResult(outcome.value, outcome.isError);
    }
    const round = (state?.round ?? 0) + 1;
    if (isModern && round <= MCP.rounds) {
      return inputRequired({ requestState: await codec.mint({ round, id: outcome.pending }) });
    }
    return toToolResult({ status: "pending", id: outcome.pending });
  });
  return server;
}

/** Claude Code and Codex say which of the model's calls they make. */
function nativeIdOf({ mcpReq }: ServerContext): string | undefined {
  const meta: Record<string, unknown> = { ...mcpReq._meta };
  const id = meta["claudecode/toolUseId"] ?? meta["callId"];
  return typeof id === "string" ? id : undefined;
}

async function outcomeOf(
  { parts, unheard, ...visit }: Visit,
  { name, arguments: args = {} }: { name: string; arguments?: Record<string, unknown> },
  ctx: ServerContext,
  state: State | undefined,
): Promise<Outcome> {
  const { signal } = ctx.mcpReq;
  const gone = new Departure();
  const leave = () => gone.leave();
  if (signal.aborted) leave();
  signal.addEventListener("abort", leave);
  const telling = keepTelling(parts.clock, ctx);
  const waitMs = visit.waitMs ?? telling.waitMs;
  try {
    const use = { name, args, waitMs, gone, goesOn: state?.id, nativeId: nativeIdOf(ctx) };
    const called = callTool({ ...parts, unheard }, visit, use);
    if (!called) {
      throw new McpError(ProtocolErrorCode.InvalidParams, `There is no tool "${name}" for you.`);
    }
    return await called;
  } catch (error) {
    if (error instanceof McpError) throw error;
    const known = outcomeOfError(error);
    return known ?? { value: toErrorBody(error, parts.log), isError: true };
  } finally {
    telling.stop();
    signal.removeEventListener("abort", leave);
  }
}
