import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { AGENT_KINDS } from "../agents/index.ts";
import { PromptRequest, toIssues } from "../protocol/index.ts";
import { CommandFailure, EXIT } from "./failure.ts";

const AGENTS = Object.fromEntries(
  AGENT_KINDS.flatMap(({ id, settings }) => (settings ? [[id, settings.optional()]] : [])),
);

/** What `<data>/settings.json` may say. A name that is not here is refused: it would do nothing. */
export const Settings = z.strictObject({
  agents: z.strictObject(AGENTS).optional(),
  defaults: z
    .strictObject({
      timeoutMs: PromptRequest.shape.timeoutMs,
      whenUnavailable: PromptRequest.shape.whenUnavailable,
      agent: z.enum(AGENT_KINDS.map(({ id }) => id)).optional(),
      cwd: z.string().min(1).optional(),
    })
    .optional(),
  store: z
    .strictObject({
      poolSize: z.number().int().min(3).max(100).optional(),
      statementTimeoutMs: z.number().int().min(100).max(600_000).optional(),
      hints: z.enum(["listen", "poll"]).optional(),
      listenUrl: z.string().min(1).optional(),
    })
    .optional(),
  bash: z.strictObject({ env: z.array(z.string().min(1)).optional() }).optional(),
  plugins: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
});
export type Settings = z.infer<typeof Settings>;

/** Reads the settings of a data directory; none is fine. */
export function readSettings(directory: string): Settings {
  const path = join(directory, "settings.json");
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new CommandFailure(`${path} cannot be read: ${String(error)}`, EXIT.failure);
  }
  const parsed = Settings.safeParse(parseJson(text, path));
  if (parsed.success) return parsed.data;
  const [issue] = toIssues(parsed.error);
  throw new CommandFailure(
    `${path} is not right: ${issue?.path ? `"${issue.path}": ` : ""}${issue?.message ?? ""}`,
    EXIT.usage,
  );
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandFailure(`${path} is not JSON: ${(error as Error).message}`, EXIT.usage);
  }
}
