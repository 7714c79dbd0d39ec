import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { latestInput, says, startFakeOpenai } from "../../../src/testing/index.ts";
import { agentPage, answersWhatACommandAsks } from "../agent-page.ts";
import { CODEX, runs } from "./codex-house.ts";

const at = agentPage(startFakeOpenai, (model, home) => {
  mkdirSync(join(home, "work"));
  return { codex: { command: CODEX, network: true, env: model.codexEnv(home) } };
});

test("what a command of Codex's asks stands at its call, live and after a reload, and is answered there", async () => {
  at.model.answer([
    says("I look first.", runs("call_1", "echo looked")),
    says("Now I ask.", runs("call_2", 'beckon ask "Which colour?"')),
    says("**Blue** it is."),
  ]);
  await answersWhatACommandAsks(at, { agent: "codex", cwd: join(at.home, "work") });
  expect(latestInput(at.model.requests.at(-1)!).results[0]?.text).toContain("Blue");
});
