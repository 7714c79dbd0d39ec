import type { Issue } from "../../protocol/index.ts";

/** Of the forms that a value could have had, what is wrong by the one that is wrong least. */
export function nearestOf(failed: Issue[][]): string {
  const [nearest = []] = failed.toSorted((one, other) => distance(one) - distance(other));
  return nearest.length > 0 ? ` (the nearest wants: ${listIssues(nearest)})` : "";
}

/** A value of the wrong type altogether is further away than one with something missing. */
function distance(issues: Issue[]): number {
  return issues.length + (issues.some(({ message }) => message.includes(", not ")) ? 10 : 0);
}

/** As they read in a sentence. */
export function listIssues(issues: Issue[]): string {
  return issues.map(({ path, message }) => (path ? `${path} ${message}` : message)).join("; ");
}
