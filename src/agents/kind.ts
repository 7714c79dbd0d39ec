import type { z } from "zod";
import type { AgentRuntime } from "../core/index.ts";

/** Where `beckon serve` runs an agent. */
export interface AgentPlace {
  env: Readonly<Record<string, string | undefined>>;
  /** Where a session without a folder works. */
  cwd?: string;
  /** A folder of ours into which people install what agents need. */
  installFolder?: string;
}

/** An agent that `beckon serve` has: what the settings may say of it, and how it is made. */
export interface AgentKind {
  /** Its id, and its key under `agents` in settings.json. */
  id: string;
  /** What that key may hold; nothing where there is nothing to set. */
  settings?: z.ZodType;
  /** @param settings as `settings` has read them */
  create(settings: unknown, place: AgentPlace): AgentRuntime;
}

interface Common {
  env?: Record<string, string | undefined> | undefined;
  cwd?: string | undefined;
}

/** A kind whose settings are its options, with the environment and the folder of the server. */
export function defineAgentKind<Settings extends Common>(kind: {
  id: string;
  settings: z.ZodType<Settings>;
  create(options: Settings & Common, place: AgentPlace): AgentRuntime;
}): AgentKind {
  const { id, settings } = kind;
  return {
    id,
    settings,
    create(given, place) {
      const own = (given ?? {}) as Settings;
      const cwd = own.cwd ?? place.cwd;
      const common = { env: { ...place.env, ...own.env }, ...(cwd !== undefined && { cwd }) };
      return kind.create({ ...own, ...common }, place);
    },
  };
}
