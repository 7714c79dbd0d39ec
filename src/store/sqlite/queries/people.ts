import type { Credential, PrincipalRow, TokenRow } from "../../../core/ports.ts";
import type { Database } from "../database.ts";
import { readRow, readRows } from "../rows.ts";

const PEOPLE = "SELECT * FROM principals WHERE kind = 'person' ORDER BY created_at, id";

const PRINCIPAL = "SELECT * FROM principals WHERE id = ?";

export function readCredential(database: Database, hash: string): Credential | null {
  const token = readRow(database, "tokens", "SELECT * FROM tokens WHERE hash = ?", hash);
  return token && withHolder(database, token);
}

export function readCredentialById(database: Database, tokenId: string): Credential | null {
  const token = readRow(database, "tokens", "SELECT * FROM tokens WHERE id = ?", tokenId);
  return token && withHolder(database, token);
}

export function readTokens(database: Database): Credential[] {
  const tokens = readRows(database, "tokens", "SELECT * FROM tokens ORDER BY created_at, id");
  return tokens.map((token) => withHolder(database, token));
}

export function readPeople(database: Database): PrincipalRow[] {
  return readRows(database, "principals", PEOPLE);
}

function withHolder(database: Database, token: TokenRow): Credential {
  const principal = readRow(database, "principals", PRINCIPAL, token.principalId);
  if (!principal) throw new Error(`The token ${token.id} has no holder.`);
  return { token, principal };
}
