import { afterAll, beforeAll, describe, test } from "vitest";
import { latest, says, toolUse } from "../../../src/testing/index.ts";
import { CliHouse } from "../claude-cli/cli-house.ts";
import { asksOnce, isHeldOnce, type Runtime } from "./stories.ts";

let house: CliHouse;
beforeAll(async () => {
  house = await CliHouse.openWith();
});
afterAll(() => house.close());

describe.each(["claude", "claude-cli"])("%s", (agent) => {
  const runtime: Runtime = {
    talk: () => house.talk({ agent }),
    script: (...turns) =>
      house.model.answer([
        ...turns.map((calls) =>
          says(...calls.map(({ id, name, input }) => toolUse(id, `mcp__beckon__${name}`, input))),
        ),
        says("Done."),
      ]),
    heard: (id) =>
      house.model.requests
        .flatMap((one) => latest(one).results)
        .findLast(({ toolUseId }) => toolUseId === id)?.text ?? "",
  };

  test("calls ask_user: one card, and the model reads the answer", () => asksOnce(runtime));

  test("calls an operation that needs an approval: held by it alone", () => isHeldOnce(runtime));
});
