import { expect } from "vitest";
import type { AgentRuntime } from "../../src/core/index.ts";
import { verifies } from "./verifies.ts";
import type { World } from "./world.ts";

const seen: string[] = [];
const own: AgentRuntime = {
  id: "own",
  name: "Own",
  description: "Has modes of its own.",
  capabilities: { reenter: "native", steer: false },
  offers: () => ({
    modes: [
      { id: "careful", label: "Ask about all", asks: "all" },
      { id: "yolo:2", label: "Do it", asks: "nothing" },
    ],
  }),
  async run({ permissionMode }) {
    seen.push(permissionMode);
    return { status: "completed" };
  },
};
const plain: AgentRuntime = {
  id: "plain",
  name: "Plain",
  description: "Has no modes.",
  capabilities: { reenter: "native", steer: false },
  run: async () => ({ status: "completed" }),
};
const agents = [own, plain];

const create = (world: World, body: object, headers = {}) =>
  world.http("POST", "/api/sessions", body, headers);
const patch = (world: World, id: string, permissionMode: string) =>
  world.http("PATCH", `/api/sessions/${id}`, { permissionMode });

verifies([], "a session runs in any mode that its agent has", { agents }, async (world) => {
  const { body: session } = await create(world, { agent: "own" });
  expect(session.permissionMode).toBe("careful");
  expect((await patch(world, session.id, "yolo:2")).body.permissionMode).toBe("yolo:2");
  const client = await world.person();
  await client.subscribe(session.id);
  await client.say(session.id, "go");
  await client.event("turn_end");
  expect(seen.at(-1)).toBe("yolo:2");
});

verifies(
  [],
  "a mode that an agent does not know is refused with those that it has",
  { agents },
  async (world) => {
    const refused = {
      status: 400,
      body: {
        code: "invalid_request",
        error: 'Own has no mode "plan". Choose one of: careful, yolo:2.',
        issues: [{ path: "permissionMode", message: "unknown mode" }],
      },
    };
    expect(await create(world, { agent: "own", permissionMode: "plan" })).toMatchObject(refused);
    const { body: session } = await create(world, { agent: "own" });
    expect(await patch(world, session.id, "plan")).toMatchObject(refused);
    const { body } = await world.http("GET", `/api/sessions/${session.id}`);
    expect(body.permissionMode).toBe("careful");

    const { body: without } = await create(world, { agent: "plain", permissionMode: "plan" });
    expect((await patch(world, without.id, "acceptEdits")).status).toBe(200);
    expect(await patch(world, without.id, "careful")).toMatchObject({
      status: 400,
      body: { error: 'Plain has no mode "careful". It has no modes; leave it out.' },
    });
  },
);

verifies([], "a machine starts no session in a mode that asks less", { agents }, async (world) => {
  const token = await world.machine();
  const authorization = { authorization: `Bearer ${token}` };
  expect((await create(world, { agent: "own" }, authorization)).status).toBe(201);
  const wanted = { agent: "own", permissionMode: "yolo:2" };
  expect(await create(world, wanted, authorization)).toMatchObject({
    status: 403,
    body: { code: "person_required" },
  });
});
