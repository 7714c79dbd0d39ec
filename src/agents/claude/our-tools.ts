import type { Turn } from "../../core/index.ts";
import { ourServer, PATIENCE_MS, SERVER } from "../cli/our-tools.ts";
import type { AskOptions, McpServer, PermissionResult } from "./sdk.ts";

/**
 * What Claude Code is started with so that it has our tools and asks nobody whether it may call them:
 * those ask by themselves. The token is named and not written: everybody can read a command line.
 */
export function withOurTools(
  env: Record<string, string | undefined>,
  before: unknown,
): { mcpServers?: Record<string, McpServer>; allow: string[] } {
  const server = ourServer(env);
  if (!server) return { allow: [] };
  const beckon: McpServer = {
    type: "http",
    url: server.url,
    headers: { ...server.headers, Authorization: "Bearer ${BECKON_TOKEN}" },
    timeout: PATIENCE_MS,
    alwaysLoad: true,
  };
  return {
    mcpServers: { ...(before as Record<string, McpServer> | undefined), [SERVER]: beckon },
    allow: [`mcp__${SERVER}`],
  };
}

/** Where Claude Code asks all the same, as in a plan: our tools ask by themselves what is to be asked. */
export async function letRun(
  turn: Turn,
  toolName: string,
  input: Record<string, unknown>,
  { toolUseID: nativeId }: AskOptions,
): Promise<PermissionResult> {
  await turn.startCall({ nativeId, toolName, input });
  return { behavior: "allow", updatedInput: input };
}
