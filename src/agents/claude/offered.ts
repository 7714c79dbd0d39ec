import type { AgentOffers } from "../../core/index.ts";
import type { AgentChoice } from "../../protocol/index.ts";
import { MODES } from "./modes.ts";
import type { Initialized, Query } from "./sdk.ts";

/** What Claude Code has said it offers, as the process said that was started last. */
export interface Offered {
  current(): AgentOffers;
  /** Hears what a process says at its start. Contract: does not reject. */
  learn(query: Pick<Query, "initializationResult">): Promise<void>;
}

/** A long list is of no use to anybody who chooses. */
const MOST = 500;

export function createOffered(): Offered {
  let offers: AgentOffers = { modes: MODES };
  return {
    current: () => offers,
    async learn(query) {
      // An older SDK cannot be asked, and a process that dies at its start says nothing.
      const said = await query.initializationResult?.().catch(() => undefined);
      if (!said) return;
      offers = { modes: MODES, ...toOffers(said) };
    },
  };
}

function toOffers({ models, commands }: Initialized): AgentOffers {
  return {
    ...(models && {
      models: models
        .slice(0, MOST)
        .map(({ value, displayName, description }) => toChoice(value, displayName, description)),
    }),
    ...(commands && {
      commands: commands
        .slice(0, MOST)
        .map(({ name, description }) => toChoice(name, `/${name}`, description)),
    }),
  };
}

function toChoice(id: string, label: string | undefined, description?: string): AgentChoice {
  return { id, label: label ?? id, ...(description ? { description } : {}) };
}
