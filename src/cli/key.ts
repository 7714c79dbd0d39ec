import { createHash, randomUUID } from "node:crypto";

/** The id under which the server keeps what a command does; any text can be its key. */
export function idOfKey(key: string | undefined): string {
  if (key === undefined) return `cli-${randomUUID()}`;
  return `key-${createHash("sha256").update(key).digest("base64url")}`;
}
