/** What `codex exec --json` prints, as far as it is used here. More may come with each version. */
export interface CodexEvent {
  type: string;
  thread_id?: string;
  item?: CodexItem;
  usage?: { input_tokens?: number; output_tokens?: number };
  message?: string;
  error?: { message?: string };
}

/** One thing that is said or done. Its id counts from nought in each process. */
export interface CodexItem {
  id: string;
  type: string;
  status?: string;
  text?: string;
  message?: string;
  command?: string;
  aggregated_output?: string;
  exit_code?: number | null;
  changes?: { path: string; kind: string }[];
  /** Of a plan. */
  items?: unknown;
  server?: string;
  tool?: string;
  arguments?: unknown;
  result?: { content?: McpContent[] } | null;
  error?: { message?: string } | null;
  [more: string]: unknown;
}

/** A part of what an MCP server's tool gives. */
export interface McpContent {
  type?: string;
  text?: string;
  /** Of an image. */
  mimeType?: string;
  data?: string;
}

export function isEvent(message: object): message is CodexEvent {
  return "type" in message && typeof message.type === "string";
}
