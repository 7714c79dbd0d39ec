import type { QueryOptions } from "../claude/sdk.ts";

/**
 * The command line of one turn. What is said goes in by stdin, so that nothing of it could be taken
 * for an option; `stdio` lets it ask there what it would ask in a terminal.
 */
export function toArguments(options: QueryOptions, more: string[]): string[] {
  const { model, permissionMode, settingSources, settings, resume, mcpServers } = options;
  return [
    "--print",
    "--verbose",
    ...["--input-format", "stream-json", "--output-format", "stream-json"],
    "--include-partial-messages",
    ...["--permission-prompt-tool", "stdio"],
    ...["--permission-mode", permissionMode],
    ...(options.allowDangerouslySkipPermissions ? ["--allow-dangerously-skip-permissions"] : []),
    ...(model === undefined ? [] : ["--model", model]),
    ...(settingSources === undefined ? [] : ["--setting-sources", settingSources.join(",")]),
    ...(settings === undefined ? [] : ["--settings", JSON.stringify(settings)]),
    ...(mcpServers === undefined ? [] : ["--mcp-config", JSON.stringify({ mcpServers })]),
    ...(resume === undefined ? [] : ["--resume", resume]),
    ...more,
  ];
}
