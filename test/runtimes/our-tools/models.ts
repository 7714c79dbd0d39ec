import {
  type FakeAnthropic,
  type FakeOpenai,
  latest,
  latestInput,
  says,
  startFakeAnthropic,
  startFakeOpenai,
  toolUse,
} from "../../../src/testing/index.ts";
import { findClaudeCode } from "../claude-code/code-house.ts";
import { SDK_PATH } from "../claude/claude-house.ts";
import { CODEX } from "../codex/codex-house.ts";
import { MortalServer } from "../mortal-server.ts";
import type { OurCall } from "./stories.ts";

export const AGENTS = ["claude", "claude-cli", "codex"] as const;
type Agent = (typeof AGENTS)[number];

/** What the model was told last, by whatever runtime. */
export interface Heard {
  results: { toolUseId: string; text: string }[];
  text: string;
}

/** A real `beckon serve` with a real agent, whose model says what `script` makes of what it heard. */
export async function startMortal(
  agent: Agent,
  script: (heard: Heard) => string | OurCall[],
): Promise<MortalServer<FakeAnthropic | FakeOpenai>> {
  const reply = (heard: Heard) => {
    const said = script(heard);
    if (typeof said === "string") return says(said);
    return says(...said.map(({ id, name, input }) => toolUse(id, `mcp__beckon__${name}`, input)));
  };
  if (agent === "codex") {
    const model = await startFakeOpenai((request) => reply(latestInput(request)));
    return MortalServer.start(model, agent, (folder) => ({
      command: CODEX,
      env: model.codexEnv(folder),
    }));
  }
  const model = await startFakeAnthropic((request) => reply(latest(request)));
  return MortalServer.start(model, agent, (folder) => ({
    ...(agent === "claude" ? { sdkPath: SDK_PATH } : { command: findClaudeCode() }),
    settingSources: [],
    env: model.env(folder),
  }));
}
