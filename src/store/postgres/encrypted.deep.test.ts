import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAY_LACK } from "../../../test/support/depth.ts";
import { withClient } from "../../../test/support/postgres/database.ts";
import { type PostgresServer, startPostgres } from "../../../test/support/postgres/server.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

const OPENSSL = "/usr/bin/openssl";
/** A certificate that vouches for itself, for one address and no name. */
const certify = (name: string) => `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1
  -nodes -days 2 -keyout ${name}.key -out ${name}.crt -subj /CN=beckon-tests
  -addext subjectAltName=IP:127.0.0.1`;
const ENCRYPTED = `SELECT activity.pid, ssl.ssl FROM pg_stat_activity AS activity
  JOIN pg_stat_ssl AS ssl USING (pid) WHERE application_name = 'beckon'`;

describe.skipIf(!existsSync(OPENSSL) && MAY_LACK)("with a server that has a certificate", () => {
  let folder: string;
  let server: PostgresServer;
  let port: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "beckon-certificate-"));
    for (const name of ["server", "other"]) {
      execFileSync(OPENSSL, certify(name).split(/\s+/), { cwd: folder, stdio: "ignore" });
    }
    server = await startPostgres({ certificate: folder });
    port = new URL(server.url).port;
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** @param root whose signer is trusted; nothing: those whom Node trusts */
  const at = (host: string, sslmode: string, root?: "server" | "other") =>
    `postgres://postgres@${host}:${port}/postgres?sslmode=${sslmode}` +
    (root ? `&sslrootcert=${encodeURIComponent(join(folder, `${root}.crt`))}` : "");

  /** Whether each connection of a store and its bus is encrypted, as the server sees it. */
  async function encryption(url: string): Promise<boolean[]> {
    const { store, bus } = await openPostgresStore({ url });
    try {
      expect(bus).toBeDefined();
      await store.health();
      const sessions = await store.sessions({ limit: 1 });
      expect(sessions).toEqual({ rows: [] });
      const { rows } = await withClient(`${server.url}/postgres`, (client) =>
        client.query<{ ssl: boolean }>(ENCRYPTED),
      );
      expect(rows.length).toBeGreaterThan(1);
      return [...new Set(rows.map(({ ssl }) => ssl))];
    } finally {
      await store.close();
    }
  }

  test.each([
    ["whose name and signer are to be verified", "127.0.0.1", "verify-full", "server"],
    ["whose signer is to be verified, under another name", "localhost", "verify-ca", "server"],
    ["that is to be encrypted by somebody who is known", "localhost", "require", "server"],
    ["that is to be encrypted", "127.0.0.1", "require", undefined],
    ["that may be encrypted", "127.0.0.1", "prefer", undefined],
  ] as const)("every connection %s is encrypted", async (_what, host, sslmode, root) => {
    expect(await encryption(at(host, sslmode, root))).toEqual([true]);
  });

  test("a connection that is not to be encrypted is not", async () => {
    expect(await encryption(at("127.0.0.1", "disable"))).toEqual([false]);
  });

  test.each([
    ["the certificate is for another name", () => at("localhost", "verify-full", "server")],
    ["another one has signed the certificate", () => at("127.0.0.1", "verify-full", "other")],
    ["nobody whom Node trusts has signed it", () => at("127.0.0.1", "verify-full")],
    ["another one has signed it, by whatever name", () => at("localhost", "verify-ca", "other")],
    ["another one has signed it than is named", () => at("127.0.0.1", "require", "other")],
  ])("a store does not open where %s", async (_what, url) => {
    const opening = openPostgresStore({ url: url() }).then(({ store }) => store.close());
    await expect(opening).rejects.toMatchObject({ code: "no_tls" });
  });
});
