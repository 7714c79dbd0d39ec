import type { Credential, PrincipalRow } from "../../../core/ports.ts";
import type { Database, SqlRow } from "../database.ts";
import { fromRow, fromValues, layoutOf, readRows } from "../rows.ts";

const PEOPLE = "SELECT * FROM principals WHERE kind = 'person' ORDER BY created_at, id";

const HOLDER = layoutOf("principals").names;
const CREDENTIALS = /* sql */ `SELECT tokens.*,
  ${HOLDER.map((name) => `principals.${name} AS holder_${name}`).join(", ")}
  FROM tokens CROSS JOIN principals ON principals.id = tokens.principal_id`;
const BY_HASH = `${CREDENTIALS} WHERE tokens.hash = ?`;
const BY_ID = `${CREDENTIALS} WHERE tokens.id = ?`;
const ALL = `${CREDENTIALS} ORDER BY tokens.created_at, tokens.id`;

export function readCredential(database: Database, hash: string): Credential | null {
  const row = database.get(BY_HASH, hash);
  return row ? toCredential(row) : null;
}

export function readCredentialById(database: Database, tokenId: string): Credential | null {
  const row = database.get(BY_ID, tokenId);
  return row ? toCredential(row) : null;
}

export function readTokens(database: Database): Credential[] {
  return database.all(ALL).map(toCredential);
}

export function readPeople(database: Database): PrincipalRow[] {
  return readRows(database, "principals", PEOPLE);
}

function toCredential(row: SqlRow): Credential {
  const holder = HOLDER.map((name) => row[`holder_${name}`] ?? null);
  return { token: fromRow("tokens", row), principal: fromValues("principals", holder) };
}
