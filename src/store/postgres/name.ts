import { nameOf, parseAddress, type PostgresSettings } from "./settings.ts";

/** Host, port and database: for people, without who signs in how. */
export function postgresName(settings: PostgresSettings): string {
  return nameOf(parseAddress(settings));
}
