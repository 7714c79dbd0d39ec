import { afterAll, beforeAll, test } from "vitest";
import { latestInput, says, toolUse } from "../../../src/testing/index.ts";
import { CodexHouse } from "../codex/codex-house.ts";
import { asksOnce, isHeldOnce, type Runtime } from "./stories.ts";

let house: CodexHouse;
beforeAll(async () => {
  house = await CodexHouse.open();
});
afterAll(() => house.close());

const runtime: Runtime = {
  talk: () => house.talk(),
  script: (...turns) =>
    house.model.answer([
      ...turns.map((calls) =>
        says(...calls.map(({ id, name, input }) => toolUse(id, `mcp__beckon__${name}`, input))),
      ),
      says("Done."),
    ]),
  heard(id) {
    const results = house.model.requests.flatMap((one) => latestInput(one).results);
    const text = results.findLast(({ toolUseId }) => toolUseId === id)?.text ?? "";
    // Codex puts a line before it that says how long it took.
    return text.replace(/^Wall time:.*\nOutput:\n/, "");
  },
};

test("codex calls ask_user: one card, and the model reads the answer", () => asksOnce(runtime));

test("codex calls an operation that needs an approval: held by it alone", () =>
  isHeldOnce(runtime));
