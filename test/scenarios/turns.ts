import type { Client, EventOf } from "./client.ts";
import type { World } from "./world.ts";

/** One turn of the demo agent in which it calls tools, as a client that follows its session sees it. */
export interface ToolTurn {
  turnId: string;
  messageId: string;
  /** The prompt of the given attempt, of the given tool if several are called. */
  request(attempt?: number, toolName?: string): Promise<EventOf<"interaction_request">>;
  result(toolName?: string): Promise<EventOf<"tool_result">>;
  end(): Promise<EventOf<"turn_end">>;
}

/** Lets the demo agent call one tool. */
export async function callTool(
  client: Client,
  sessionId: string,
  tool: string,
  input: Record<string, unknown> = {},
): Promise<ToolTurn> {
  return startTurn(client, sessionId, `/call ${tool} ${JSON.stringify(input)}`);
}

export async function startTurn(
  client: Client,
  sessionId: string,
  text: string,
): Promise<ToolTurn> {
  const { messageId } = await client.say(sessionId, text);
  return turnOf(client, messageId as string);
}

/** The turn that a message causes, once it has started. */
export async function turnOf(client: Client, messageId: string): Promise<ToolTurn> {
  const { turnId = "" } = await client.event("turn_start", (turn) => turn.messageId === messageId);
  return {
    turnId,
    messageId,
    request: (attempt = 1, toolName) =>
      client.event(
        "interaction_request",
        (prompt, event) =>
          event.turnId === turnId &&
          prompt.attempt === attempt &&
          (toolName === undefined || prompt.toolName === toolName),
      ),
    result: (toolName) =>
      client.event(
        "tool_result",
        (result, event) =>
          event.turnId === turnId && (toolName === undefined || result.toolName === toolName),
      ),
    end: () => client.event("turn_end", (_end, event) => event.turnId === turnId),
  };
}

/** Runs the operation behind tool `<plugin>_<operation>` outside any turn; resolves with its end. */
export async function operate(
  world: World,
  sessionId: string,
  operation: `${string}_${string}`,
  input: Record<string, unknown> = {},
  headers: Record<string, string> = {},
) {
  const [plugin, ...rest] = operation.split("_");
  const path = `/api/plugins/${plugin}/operations/${rest.join("_")}`;
  return world.http("POST", path, input, { "x-session-id": sessionId, ...headers });
}

/** A door that a test opens: what awaits it goes on then, and not before. */
export function createDoor(): {
  opened: Promise<void>;
  open(): void;
  reached: Promise<void>;
  arrive(): void;
} {
  let open = () => {};
  let arrive = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  const reached = new Promise<void>((resolve) => (arrive = resolve));
  return { opened, open: () => open(), reached, arrive: () => arrive() };
}
