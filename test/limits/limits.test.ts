import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClaudeAgent } from "../../src/agents/index.ts";
import { LIMITS } from "../../src/protocol/index.ts";
import { World } from "../scenarios/world.ts";
import { triesOf } from "./edge.ts";
import { MESSAGE_EDGES } from "./message-edges.ts";
import { COUNT_EDGES, SERVER_EDGES } from "./count-edges.ts";
import { COUNT_TOOLS } from "./count-tools.ts";
import { FLOW_EDGES, speakTool } from "./flow-edges.ts";
import {
  callingAgent,
  changeTool,
  INPUT_EDGES,
  listTool,
  lookTool,
  takeTool,
} from "./input-edges.ts";
import { decideTool, NAME_EDGES } from "./name-edges.ts";
import { PROMPT_EDGES } from "./prompt-edges.ts";
import { SHOWING_TOOLS } from "./showing.ts";

const EDGES = [
  ...MESSAGE_EDGES,
  ...PROMPT_EDGES,
  ...NAME_EDGES,
  ...INPUT_EDGES,
  ...COUNT_EDGES,
  ...FLOW_EDGES,
  ...SERVER_EDGES,
];

/** Some reach their limit with megabytes or thousands of rows, perhaps on a busy machine. */
const PATIENCE_MS = 60_000;

let world: World;
beforeAll(async () => {
  world = await World.start({
    latency: false,
    tools: [
      changeTool,
      ...SHOWING_TOOLS,
      ...COUNT_TOOLS,
      decideTool,
      listTool,
      lookTool,
      speakTool,
      takeTool,
    ],
    agents: [callingAgent, createClaudeAgent()],
  });
});
afterAll(() => world.close());

test("every limit of the table is tried around its edge", () => {
  const tried = new Set(EDGES.map((edge) => edge.limit));
  expect(Object.keys(LIMITS).filter((name) => !tried.has(name as never))).toEqual([]);
});

for (const edge of EDGES) {
  describe(`${edge.limit}: ${edge.through}`, () => {
    for (const { count, expected } of triesOf(edge)) {
      test(`${count}: ${expected}`, { timeout: PATIENCE_MS }, async () => {
        expect(await edge.reach(world, count)).toBe(expected);
      });
    }
  });
}
