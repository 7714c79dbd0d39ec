import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ids } from "../../test/support/fake-core.ts";
import { openSqliteStore } from "../store/index.ts";
import { createFakeClock } from "../testing/index.ts";
import { BROWSER_MS, createCredentials, OWNER_ID, SIGNIN_MS } from "./credentials.ts";
import { writeOwnerToken } from "./owner-token.ts";

const never = new Promise<void>(() => {});

async function open() {
  const clock = createFakeClock();
  const store = openSqliteStore({ path: ":memory:", clock });
  const credentials = createCredentials({ store, ids, clock });
  await credentials.ensureOwner();
  return { clock, store, credentials };
}

describe("a token", () => {
  test("lets its holder in, and only its hash is stored", async () => {
    const { credentials, store } = await open();
    const { token } = await credentials.createToken({
      holder: { kind: "machine", name: "bot" },
      sessionId: "s1",
    });
    expect(token).toMatch(/^bk_[A-Za-z0-9_-]{43}$/);
    expect(await credentials.authenticate(token)).toMatchObject({
      kind: "machine",
      name: "bot",
      sessionId: "s1",
    });
    expect(JSON.stringify(await store.tokens())).not.toContain(token.slice(3));
    expect(JSON.stringify(await credentials.listTokens())).not.toContain(ids.digest(token));
  });

  test("that is unknown, misshapen or empty lets nobody in", async () => {
    const { credentials } = await open();
    for (const text of ["", "bk_", "owner", `bk_${"A".repeat(43)}`]) {
      expect(await credentials.authenticate(text)).toBeNull();
    }
  });

  test("that is revoked lets nobody in; revoking twice is fine, and an unknown one is told", async () => {
    const { credentials } = await open();
    const { id, token } = await credentials.createToken({ holder: { principalId: OWNER_ID } });
    expect(await credentials.isCurrent(id)).toBe(true);
    expect(await credentials.revokeToken(id)).toBe(true);
    expect(await credentials.revokeToken(id)).toBe(true);
    expect(await credentials.authenticate(token)).toBeNull();
    expect(await credentials.isCurrent(id)).toBe(false);
    expect(await credentials.revokeToken("nobody")).toBe(false);
  });

  test("is looked up once for those who come together, and again in the next turn", async () => {
    const { credentials, store, clock } = await open();
    let looks = 0;
    const counted = { ...store, credential: (hash: string) => (looks++, store.credential(hash)) };
    const server = createCredentials({ store: counted, ids, clock });
    const { id, token } = await credentials.createToken({ holder: { principalId: OWNER_ID } });
    const both = await Promise.all([server.authenticate(token), server.authenticate(token)]);
    expect(both.map((who) => who?.tokenId)).toEqual([id, id]);
    expect(looks).toBe(1);
    await clock.turn();
    // Another process has its own credentials on the same store.
    await credentials.revokeToken(id);
    expect(await server.authenticate(token)).toBeNull();
    expect(looks).toBe(2);
  });

  test("that is revoked here lets nobody in who comes in the same turn", async () => {
    const { credentials, store, clock } = await open();
    const still = createCredentials({ store, ids, clock: { ...clock, turn: () => never } });
    const { id, token } = await credentials.createToken({ holder: { principalId: OWNER_ID } });
    expect(await still.authenticate(token)).toMatchObject({ tokenId: id });
    await still.revokeToken(id);
    expect(await still.authenticate(token)).toBeNull();
  });

  test("expires at its moment", async () => {
    const { credentials, clock } = await open();
    const { token } = await credentials.createToken({
      holder: { principalId: OWNER_ID },
      expiresInMs: 1_000,
    });
    clock.jump(999);
    expect(await credentials.authenticate(token)).not.toBeNull();
    clock.jump(1);
    expect(await credentials.authenticate(token)).toBeNull();
  });
});

describe("a sign-in code", () => {
  test("becomes a browser's token once", async () => {
    const { credentials } = await open();
    const code = await credentials.createSigninCode(OWNER_ID);
    expect(await credentials.authenticate(code)).toBeNull();
    const first = await credentials.exchangeCode(code);
    expect(first?.who).toMatchObject({ principalId: OWNER_ID, kind: "person" });
    expect(await credentials.authenticate(first?.token ?? "", "cookie")).toEqual(first?.who);
    expect(await credentials.exchangeCode(code)).toBeNull();
  });

  test("of fifty who use it at once, one gets in", async () => {
    const { credentials } = await open();
    const code = await credentials.createSigninCode(OWNER_ID);
    const all = await Promise.all(Array.from({ length: 50 }, () => credentials.exchangeCode(code)));
    expect(all.filter((one) => one !== null)).toHaveLength(1);
  });

  test("is good for a minute, and what it gives for a month", async () => {
    const { credentials, clock } = await open();
    const late = await credentials.createSigninCode(OWNER_ID);
    const soon = await credentials.createSigninCode(OWNER_ID);
    clock.jump(SIGNIN_MS - 1);
    const browser = await credentials.exchangeCode(soon);
    clock.jump(1);
    expect(await credentials.exchangeCode(late)).toBeNull();
    clock.jump(BROWSER_MS - 2);
    expect(await credentials.authenticate(browser?.token ?? "", "cookie")).not.toBeNull();
    clock.jump(1);
    expect(await credentials.authenticate(browser?.token ?? "", "cookie")).toBeNull();
  });

  test("is nothing that a bearer token could stand in for", async () => {
    const { credentials } = await open();
    const { token } = await credentials.createToken({ holder: { principalId: OWNER_ID } });
    expect(await credentials.exchangeCode(token)).toBeNull();
  });
});

describe("the owner", () => {
  test("is made once, also by two at a time", async () => {
    const { credentials, store } = await open();
    await Promise.all([credentials.ensureOwner(), credentials.ensureOwner()]);
    expect(await store.people()).toHaveLength(1);
  });

  test("finds a working token in a file that only they can read", async () => {
    const { credentials } = await open();
    const dir = await mkdtemp(join(tmpdir(), "beckon-owner-"));
    const path = join(dir, "token");
    try {
      const token = await writeOwnerToken(credentials, dir);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect((await readFile(path, "utf8")).trim()).toBe(token);
      expect(await writeOwnerToken(credentials, dir)).toBe(token);

      const who = await credentials.authenticate(token);
      await credentials.revokeToken(who?.tokenId ?? "");
      const fresh = await writeOwnerToken(credentials, dir);
      expect(fresh).not.toBe(token);
      expect(await credentials.authenticate(fresh)).toMatchObject({ principalId: OWNER_ID });

      await writeFile(path, "nonsense", { mode: 0o644 });
      await writeOwnerToken(credentials, dir);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
    } finally {
      await rm(dir, { recursive: true });
    }
  });
});
