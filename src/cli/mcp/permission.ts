import { randomUUID } from "node:crypto";
import { Command } from "commander";
import { packageVersion } from "../../package.ts";
import { askServer } from "../ask-server.ts";
import { timeoutOption } from "../duration.ts";
import type { Io } from "../io.ts";
import { dataOption } from "../options.ts";
import { type Methods, type Params, serveJsonRpc } from "./json-rpc.ts";
import { CODES, RpcError } from "./messages.ts";

interface Options {
  data: string;
  timeout?: number;
}

/** The newest first. Who speaks none of these is told the newest, and decides. */
const VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

const APPROVE = {
  name: "approve",
  title: "Ask a person",
  description: "Asks a person through Beckon whether a tool may be used, or for their answers.",
  inputSchema: {
    type: "object",
    properties: {
      tool_name: { type: "string", description: "The tool that is to be used" },
      input: { type: "object", description: "What it is to be used with" },
      tool_use_id: { type: "string" },
    },
    required: ["tool_name", "input"],
  },
};

export function permissionCommand(io: Io): Command {
  return new Command("permission")
    .description("serve the tool for Claude Code's --permission-prompt-tool, over stdio")
    .addOption(timeoutOption())
    .addOption(dataOption(io.env))
    .action((_options: Options, command: Command) => {
      // `mcp` has --data too, and takes it wherever it stands.
      const methods = methodsFor(io, command.optsWithGlobals<Options>());
      return serveJsonRpc(io.stdin?.() ?? nothing(), (line) => io.out(line), methods);
    });
}

async function* nothing(): AsyncIterable<Uint8Array> {}

function methodsFor(io: Io, options: Options): Methods {
  // One process serves one session of Claude Code. An old one does not say which.
  const sessionId = io.env["CLAUDE_CODE_SESSION_ID"] ?? randomUUID();
  return new Map<string, (params: Params, signal: AbortSignal) => unknown>([
    ["initialize", initialize],
    ["ping", () => ({})],
    ["tools/list", () => ({ tools: [APPROVE] })],
    ["tools/call", (params, signal) => call(io, options, sessionId, params, signal)],
  ]);
}

function initialize({ protocolVersion }: Params): object {
  return {
    protocolVersion: VERSIONS.find((one) => one === protocolVersion) ?? VERSIONS[0],
    capabilities: { tools: {} },
    serverInfo: { name: "beckon", title: "Beckon", version: packageVersion() },
  };
}

async function call(
  io: Io,
  { data, timeout: timeoutMs }: Options,
  sessionId: string,
  params: Params,
  signal: AbortSignal,
): Promise<object> {
  if (params["name"] !== APPROVE.name) {
    throw new RpcError(CODES.params, `The only tool here is "${APPROVE.name}".`);
  }
  const { tool_name, input, tool_use_id } = Object(params["arguments"]) as Params;
  const body = JSON.stringify({
    hook_event_name: "PermissionPrompt",
    session_id: sessionId,
    cwd: process.cwd(),
    tool_name,
    tool_use_id,
    tool_input: input,
  });
  try {
    return said(await askServer(io, { agent: "claude", body, data, timeoutMs, signal }));
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error);
    const message = `Nobody could be asked, so this did not run. ${sentence}`;
    return said({ behavior: "deny", message });
  }
}

/** Claude Code reads the decision from one block of text. */
function said(decision: object): object {
  return { content: [{ type: "text", text: JSON.stringify(decision) }] };
}
