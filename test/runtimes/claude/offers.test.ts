import { afterEach, expect, test } from "vitest";
import { says } from "../../../src/testing/index.ts";
import { CliHouse } from "../claude-cli/cli-house.ts";
import { ClaudeHouse } from "./claude-house.ts";

let house: ClaudeHouse | CliHouse;
afterEach(() => house.close());

test.each([
  ["claude", () => ClaudeHouse.open()],
  ["claude-cli", () => CliHouse.openWith()],
])("%s offers the models and commands that its last process named", async (_name, open) => {
  house = await open();
  const agent = async () => (await house.api("GET", "/agents")).body.agents[0];
  const before = await agent();
  expect(before).toMatchObject({ installed: true, modes: [{ id: "default" }, {}, {}, {}, {}, {}] });
  expect(before).not.toHaveProperty("models");
  house.model.answer([says("Hello.")]);
  const talk = await house.talk();
  await talk.say("hello");
  expect(await talk.ended()).toBe("completed");
  const { models, commands } = await agent();
  expect(models.length).toBeGreaterThan(0);
  for (const { id, label } of models)
    expect([typeof id, typeof label]).toEqual(["string", "string"]);
  expect(commands).toContainEqual(expect.objectContaining({ id: "compact", label: "/compact" }));
});
