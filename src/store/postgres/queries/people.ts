import type { Credential, PrincipalRow } from "../../../core/ports.ts";
import type { SqlRow } from "../lane.ts";
import type { Reader } from "../reader.ts";
import { fromRow, fromRows } from "../rows.ts";

const HOLDERS = /* sql */ `SELECT t.*, to_jsonb(p) AS holder
  FROM beckon.tokens t JOIN beckon.principals p ON p.id = t.principal_id`;
const BY_HASH = `${HOLDERS} WHERE t.hash = $1`;
const BY_ID = `${HOLDERS} WHERE t.id = $1`;
const TOKENS = `${HOLDERS} ORDER BY t.created_at, t.id`;
const PEOPLE = /* sql */ `SELECT * FROM beckon.principals
  WHERE kind = 'person' ORDER BY created_at, id`;

export async function readCredential(reader: Reader, hash: string): Promise<Credential | null> {
  const [row] = await reader.read(BY_HASH, [hash]);
  return row ? toCredential(row) : null;
}

export async function readCredentialById(reader: Reader, id: string): Promise<Credential | null> {
  const [row] = await reader.read(BY_ID, [id]);
  return row ? toCredential(row) : null;
}

export async function readTokens(reader: Reader): Promise<Credential[]> {
  return (await reader.read(TOKENS)).map(toCredential);
}

export async function readPeople(reader: Reader): Promise<PrincipalRow[]> {
  return fromRows("principals", await reader.read(PEOPLE));
}

function toCredential(row: SqlRow): Credential {
  return {
    token: fromRow("tokens", row),
    principal: fromRow("principals", row["holder"] as SqlRow),
  };
}
