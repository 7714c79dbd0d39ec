import type { World } from "./world.ts";

/** What Claude Code posts to its hooks. */
export const PERMISSION = {
  hook_event_name: "PermissionRequest",
  session_id: "0ddba11",
  cwd: "/home/ada/shop",
  permission_mode: "default",
  tool_name: "Bash",
  tool_input: { command: "mkdir shelf", description: "Makes a folder" },
};
export const PRE_TOOL_USE = {
  ...PERMISSION,
  hook_event_name: "PreToolUse",
  tool_use_id: "toolu_1",
};
/** What its permission-prompt tool asks, as `beckon mcp permission` hands it on. */
export const PROMPT_TOOL = { ...PERMISSION, hook_event_name: "PermissionPrompt" };

export const post = (world: World, body: unknown, headers: Record<string, string> = {}) =>
  world.http("POST", "/api/hooks/claude", body, headers);

export const respond = (world: World, { id }: { id: string }, body: object) =>
  world.http("POST", `/api/interactions/${id}/respond`, body);

export const decision = (reply: { body: any }) => reply.body.hookSpecificOutput.decision;
