import { expect, test } from "vitest";
import { type Store, StoreUnavailable } from "../../src/core/index.ts";
import { World } from "../scenarios/world.ts";

/** The names of the store's methods that are called from here on. */
function watchStore(store: Store): string[] {
  const called: string[] = [];
  for (const name of Object.keys(store) as (keyof Store)[]) {
    if (name === "clock") continue;
    const method = store[name] as (...given: unknown[]) => unknown;
    Object.assign(store, {
      [name]: (...given: unknown[]) => {
        called.push(name);
        return method.apply(store, given);
      },
    });
  }
  return called;
}

test("asking for the health costs the store nothing; a deep look needs a person", async () => {
  await using world = await World.start({ latency: false });
  const machine = await world.credentials.createToken({ holder: { kind: "machine", name: "M" } });
  const called = watchStore(world.store);
  const ask = (path: string, token?: string) =>
    fetch(`${world.node.url}${path}`, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });

  for (let count = 0; count < 50; count++) expect((await ask("/api/health")).status).toBe(200);
  expect(called).toEqual([]);

  expect((await ask("/api/health?deep=1")).status).toBe(401);
  const refused = await ask("/api/health?deep=1", machine.token);
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ code: "person_required" });
  expect((await ask("/api/health?deep=yes", world.owner)).status).toBe(400);
  expect(called).not.toContain("health");
  expect((await ask("/api/health?deep=1", world.owner)).status).toBe(200);
  expect(called).toContain("health");
});

test("the health is what the server last learned of its store, and is learned again by itself", async () => {
  await using world = await World.start({ latency: false });
  const health = async () => (await world.http("GET", "/api/health")).status;
  const well = { ...world.store };
  const broken = () => Promise.reject(new StoreUnavailable("The disk is full."));
  Object.assign(world.store, { commit: broken, health: broken });
  expect(await health()).toBe(200);
  expect((await world.http("POST", "/api/sessions", {})).status).toBe(503);
  expect(await health()).toBe(503);
  await world.clock.advance(5_000);
  expect(await health()).toBe(503);
  Object.assign(world.store, well);
  await world.clock.advance(5_000);
  expect(await health()).toBe(200);
});
