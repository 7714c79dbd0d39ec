import type { AgentNeed, AgentRegistry, AgentRuntime, Clock } from "../core/index.ts";
import { howToInstall } from "../core/index.ts";
import type { AgentRecord } from "../protocol/index.ts";

/** How long what was found counts: who installs something sees it at the next look. */
const FRESH_MS = 5_000;
/** A disk that does not answer holds nobody up. */
const LOOK_MS = 1_000;

/** Tells what agents there are, and looks now and then whether what each needs is there. */
export function createAgentRecords(): (ports: {
  agents: AgentRegistry;
  clock: Pick<Clock, "now" | "timer">;
}) => Promise<AgentRecord[]> {
  const looks = new Map<string, { at: number; found: Promise<boolean> }>();

  function isInstalled(
    { id, need }: AgentRuntime,
    clock: Pick<Clock, "now" | "timer">,
  ): Promise<boolean> {
    if (!need) return Promise.resolve(true);
    const last = looks.get(id);
    const age = last ? clock.now() - last.at : Infinity;
    if (last && age >= 0 && age < FRESH_MS) return last.found;
    const found = lookAt(need, clock);
    looks.set(id, { at: clock.now(), found });
    return found;
  }

  async function describe(
    agent: AgentRuntime,
    clock: Pick<Clock, "now" | "timer">,
  ): Promise<AgentRecord> {
    const { id, name, description, capabilities, need } = agent;
    const offers = agent.offers?.() ?? {};
    const modes = offers.modes?.map((mode) => mode.id);
    const installed = await isInstalled(agent, clock);
    const install = need && !installed && howToGet(name, need);
    return {
      ...{ id, name, description, installed },
      ...(install && { install }),
      ...offers,
      capabilities: { ...capabilities, ...(modes && { modes }) },
    };
  }

  return ({ agents, clock }) => Promise.all(agents.list().map((agent) => describe(agent, clock)));
}

function howToGet(name: string, need: AgentNeed) {
  return { sentence: howToInstall(name, need), command: need.install };
}

/** What could not be found out is taken for there: a turn will say what is wrong. */
function lookAt(need: AgentNeed, clock: Pick<Clock, "timer">): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.timer(LOOK_MS, () => resolve(true));
    void need
      .isThere()
      .catch(() => true)
      .then(resolve)
      .finally(cancel);
  });
}
