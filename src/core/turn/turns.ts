import type { AgentErrorCode } from "../../protocol/index.ts";
import { AgentUnavailable, type AgentRuntime, type Turn, type TurnEnd } from "./agent.ts";
import { toFailure } from "../call/journal.ts";
import type { LiveRun } from "../run/live-run.ts";
import { HeldTurn, type TurnPorts } from "./held-turn.ts";
import { toAgentMessage } from "./messages.ts";
import { type SessionRow, StoreUnavailable, type TurnState } from "../ports.ts";
import { toldSince } from "./history.ts";
import { onDemand } from "../on-demand.ts";

/** Lets an agent run one turn, and ends the turn with it. */
export async function runTurn(
  ports: TurnPorts,
  run: LiveRun,
  session: SessionRow,
  agent: AgentRuntime,
  how: "first" | "again",
): Promise<void> {
  const journal = how === "again" ? await ports.store.journal(run.row.id) : [];
  if (how === "again") await expectRunning(ports, run);
  const { reenter } = agent.capabilities;
  const held = new HeldTurn(ports, run, session, journal, reenter);
  run.mayRunAhead = reenter === "replay";
  run.hearSettings(session.settings);
  // Not awaited: it may wait for people for weeks, and whoever has entered the run not with it.
  startAgent(agent, createTurn(held, session)).then(
    (end) => held.end(() => end),
    (error: unknown) => held.end(() => failureOf(error)),
  );
}

/** Calls that the agent will come to again: until it has, the run has more to do than to wait. */
async function expectRunning(ports: TurnPorts, run: LiveRun): Promise<void> {
  for (const { status } of await ports.store.calls(run.row.id)) {
    if (status === "running") run.expectCall();
  }
}

function startAgent(agent: AgentRuntime, turn: Turn): Promise<TurnEnd> {
  try {
    return Promise.resolve(agent.run(turn));
  } catch (error) {
    return Promise.reject(error);
  }
}

function failureOf(error: unknown): TurnEnd {
  if (error instanceof StoreUnavailable) throw error;
  const code: AgentErrorCode =
    error instanceof AgentUnavailable ? "agent_unavailable" : "agent_failed";
  return { status: "failed", error: { ...toFailure(error), code } };
}

/** The turn as its agent gets it: facts, and what it can do, which is made when it is asked for. */
function createTurn(held: HeldTurn, session: SessionRow): Turn {
  const { row } = held.run;
  const { cwd, settings } = session;
  return withAbilities(
    {
      sessionId: session.id,
      turnId: row.id,
      trigger: row.trigger ?? "user",
      message: toAgentMessage(row.state as TurnState),
      ...(cwd === null ? {} : { cwd }),
      permissionMode: settings.permissionMode,
      ...(settings.model === undefined ? {} : { model: settings.model }),
      ...(settings.systemPrompt === undefined ? {} : { systemPrompt: settings.systemPrompt }),
      state: structuredClone(session.runtimeState),
    },
    held,
  );
}

type Ability =
  | "signal"
  | "tools"
  | "askingLine"
  | "text"
  | "thinking"
  | "startText"
  | "startInput"
  | "call"
  | "startCall"
  | "keepState"
  | "told"
  | "onMessage"
  | "onSettings"
  | "keepSettings"
  | "environment"
  | "status"
  | "usage";

const withAbilities = onDemand<HeldTurn, Pick<Turn, Ability>>({
  signal: ({ run }) => run.signal,
  tools: ({ ports }) => ports.tools.list(),
  askingLine:
    ({ ports, sessionId }) =>
    (command, at) =>
      ports.asking?.lineFor(command, { sessionId, ...at }),
  text: (held) => (text) => held.say("text", text),
  thinking: (held) => (text) => held.say("thinking", text),
  startText: (held) => () => held.startText(),
  startInput: (held) => (use) => held.startInput(use),
  call: (held) => (toolName, input) => held.call(toolName, input),
  startCall: (held) => (use) => held.startCall(use),
  keepState: (held) => (state) => held.keepState(state),
  told:
    ({ ports, sessionId }) =>
    (after) =>
      toldSince(ports, sessionId, after),
  onMessage:
    ({ run }) =>
    (take) =>
      (run.onMessage = take),
  onSettings:
    ({ run }) =>
    (apply) =>
      (run.onSettings = apply),
  keepSettings: (held) => (settings) => held.keepSettings(settings),
  environment: (held) => (base) => held.environment(base),
  status: (held) => (known) => held.status(known),
  usage: (held) => (used) => held.addUsage(used),
});
