import { CallAbout, jsonBytes, LIMITS, toIssues } from "../../protocol/index.ts";
import { throughJson } from "./journal.ts";
import { ToolError } from "./tool.ts";

/** Takes what a runtime tells of a call; refuses what no log could hold. */
export function checkAbout({ title, kind, locations, changes }: CallAbout): CallAbout {
  const parsed = CallAbout.safeParse(throughJson({ title, kind, locations, changes }));
  if (!parsed.success) {
    const [issue] = toIssues(parsed.error);
    throw invalid(`"${issue?.path}" ${issue?.message}`);
  }
  const bytes = jsonBytes(parsed.data);
  if (bytes <= LIMITS.toolInputBytes) return parsed.data;
  throw invalid(`it has ${bytes} bytes; at most ${LIMITS.toolInputBytes} can be kept`);
}

function invalid(what: string): ToolError {
  return new ToolError("invalid_request", `What this call is about cannot be shown: ${what}.`);
}
