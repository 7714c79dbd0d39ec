import type { z } from "zod";
import { ProtocolError } from "./errors.ts";

export interface Issue {
  path: string;
  message: string;
}

/** A request with thousands of wrong parts is told of as many. */
const ISSUES = 20;

/** Unknown value in, trusted value out, or an `invalid_request` that names what is wrong. */
export function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = toIssues(parsed.error);
  const first = issues[0];
  const where = first?.path ? `"${first.path}": ` : "";
  throw new ProtocolError(
    "invalid_request",
    `The request is not valid. ${where}${first?.message ?? ""}`,
    {
      issues,
    },
  );
}

export function toIssues(error: z.ZodError): Issue[] {
  return error.issues.slice(0, ISSUES).map((issue) => ({
    path: issue.path.map(String).join("."),
    message: issue.message,
  }));
}
