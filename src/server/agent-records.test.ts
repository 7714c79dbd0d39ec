import { expect, test } from "vitest";
import type { AgentNeed, AgentRuntime } from "../core/index.ts";
import { createFakeClock } from "../testing/fake-clock.ts";
import { createAgentRecords } from "./agent-records.ts";

function agentsWith(need?: AgentNeed, offers?: AgentRuntime["offers"]) {
  const agent: AgentRuntime = {
    id: "robot",
    name: "Robot",
    description: "Works.",
    capabilities: { reenter: "none", steer: false },
    ...(need && { need }),
    ...(offers && { offers }),
    run: async () => ({ status: "completed" }),
  };
  const clock = createFakeClock();
  const records = createAgentRecords();
  const agents = { get: () => agent, list: () => [agent] };
  return { clock, list: () => records({ agents, clock }) };
}

const NEED = { name: "a spanner", install: "npm install spanner" };

test("an agent that needs nothing is installed, and offers what it says", async () => {
  const mode = { id: "deep", label: "Think first", asks: "all" } as const;
  const models = [{ id: "m1", label: "Model One" }];
  const { list } = agentsWith(undefined, () => ({ modes: [mode], models }));
  expect(await list()).toEqual([
    {
      id: "robot",
      name: "Robot",
      description: "Works.",
      installed: true,
      modes: [mode],
      models,
      capabilities: { reenter: "none", steer: false, modes: ["deep"] },
    },
  ]);
});

test("whether it is installed is looked at once for many, and again after five seconds", async () => {
  let looks = 0;
  let isThere = false;
  const { list, clock } = agentsWith({
    ...NEED,
    isThere: () => {
      looks++;
      return Promise.resolve(isThere);
    },
  });
  const lists = await Promise.all([list(), list(), list()]);
  for (const [record] of lists) {
    expect(record).toMatchObject({
      installed: false,
      install: {
        sentence:
          "Robot needs a spanner, which is not installed here. Install it with: npm install spanner",
        command: "npm install spanner",
      },
    });
  }
  isThere = true;
  expect((await list())[0]?.installed).toBe(false);
  expect(looks).toBe(1);
  await clock.advance(5_000);
  expect((await list())[0]).toMatchObject({ installed: true });
  expect((await list())[0]).not.toHaveProperty("install");
  expect(looks).toBe(2);
});

test("a look that never ends holds the list up for a second at most", async () => {
  const { list, clock } = agentsWith({ ...NEED, isThere: () => new Promise(() => {}) });
  const listed = list();
  await clock.advance(1_000);
  expect((await listed)[0]?.installed).toBe(true);
});
