import { PostgresUnusable } from "./failures.ts";
import { isRefusedTls } from "./connect.ts";

const UNREACHABLE = new Set([
  ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"],
  ...["ECONNRESET", "EPIPE", "ENOENT", "57P03", "53300"],
]);

/** What kept a store from opening, in words. What has words of its own passes. */
export function startFailure(name: string, error: unknown, code: string): unknown {
  if (error instanceof PostgresUnusable || !(error instanceof Error)) return error;
  const [reason, what] = explain(error, code);
  if (reason === undefined) return error;
  const message = `Beckon cannot use the PostgreSQL ${name}: ${what} (${error.message})`;
  return new PostgresUnusable(reason, message, { cause: error });
}

function explain(error: Error, code: string): [PostgresUnusable["code"], string] | [undefined] {
  if (code === "28P01" || code === "28000" || /password/.test(error.message)) {
    return [
      "wrong_password",
      "the user or the password is not right, or may not sign in from here.",
    ];
  }
  if (code === "3D000") {
    return ["no_database", "there is no such database. Create it with createdb, and start again."];
  }
  if (code === "42501") {
    return [
      "no_right",
      "the user may not create the schema beckon. Grant it CREATE on the database, or create the schema for it.",
    ];
  }
  if (isRefusedTls(error) || /certificate|self[- ]signed|TLS|SSL/i.test(error.message)) {
    return ["no_tls", "no encrypted connection can be made. Look at sslmode and sslrootcert."];
  }
  if (UNREACHABLE.has(code) || /timeout|terminated/.test(error.message)) {
    return ["unreachable", "it does not answer. Start it, or look at host, port and firewall."];
  }
  return [undefined];
}
