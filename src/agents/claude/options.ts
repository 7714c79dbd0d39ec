import { createNativeHistory } from "./history.ts";
import { loadClaudeSdk } from "./load-sdk.ts";
import { createOffered, type Offered } from "./offered.ts";
import type { ClaudeSdk } from "./sdk.ts";
import type { NativeHistory } from "./state.ts";

export interface ClaudeAgentOptions {
  /** @default 'claude' */
  id?: string;
  /** Where the SDK is, if not beside Beckon: what `import` takes. */
  sdkPath?: string;
  /** A folder in whose `node_modules` the SDK may be, where it is not beside Beckon. */
  sdkFolder?: string;
  /** The environment of the agent's process. @default that of this one */
  env?: Record<string, string | undefined>;
  /** Where a session without a folder works. @default the folder of this process */
  cwd?: string;
  model?: string;
  /** Which settings of Claude Code count. @default all: the user's, the project's, the local ones */
  settingSources?: ("user" | "project" | "local")[];
  /** Rules for what is asked about though Claude Code would not, such as `Bash(git push:*)`. */
  ask?: string[];
  /** How long a prompt waits; `null` waits for ever. @default as the server's settings say, else for ever */
  timeoutMs?: number | null;
  /**
   * Lets no process wait for people: Claude Code ends where it asks, and goes on when it is
   * answered, also after a restart. Then every use of a tool that can change something is asked
   * about, and calls that the model makes together are asked about live.
   *
   * @default false
   */
  durableAsk?: boolean;
  /** Anything else that `query` takes. */
  extra?: Record<string, unknown>;
}

/** As seen by one turn: every default filled in. */
export interface ClaudeSettings {
  loadSdk(): Promise<ClaudeSdk>;
  offered: Offered;
  env: Record<string, string | undefined>;
  cwd: string;
  model?: string;
  settingSources?: string[];
  ask: string[];
  timeoutMs?: number | null;
  durableAsk: boolean;
  extra: Record<string, unknown>;
  /** Where what it did unheard can be read. */
  history: NativeHistory;
}

/** Whether rules and hooks that lie in the folder count, which whoever works there can write. */
export function obeysFolder({ settingSources }: Pick<ClaudeAgentOptions, "settingSources">) {
  return settingSources?.every((source) => source === "user") !== true;
}

export function toSettings(options: ClaudeAgentOptions): ClaudeSettings {
  return {
    loadSdk: () => loadClaudeSdk(options),
    offered: createOffered(),
    env: options.env ?? process.env,
    cwd: options.cwd ?? process.cwd(),
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(options.settingSources === undefined ? {} : { settingSources: options.settingSources }),
    ask: options.ask ?? [],
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    durableAsk: options.durableAsk ?? false,
    extra: options.extra ?? {},
    history: createNativeHistory(options.env ?? process.env),
  };
}
