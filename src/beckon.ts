import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { createAgentRegistry, demoAgent, outsideAgent } from "./agents/index.ts";
import {
  type AgentRuntime,
  type Clock,
  type CorePorts,
  createCore,
  type Log,
  type ToolDefinition,
} from "./core/index.ts";
import {
  builtinTools,
  createBashTool,
  createToolRegistry,
  loadPlugins,
  type PluginChange,
  type PluginProblem,
  watchPlugins,
} from "./plugins/index.ts";
import { createAskingPrograms } from "./asking-programs.ts";
import { createMachineAccess } from "./machine-access.ts";
import { nameOfStore, nodeNameFor, openStore, type StoreAddress } from "./open-store.ts";
import { packageVersion } from "./package.ts";
import { createSealing } from "./sealing.ts";
import type { FrameChannel } from "./protocol/index.ts";
import {
  addressWithCode,
  createCredentials,
  createServer,
  type Credentials,
  type Listener,
  OWNER_ID,
  writeOwnerToken,
} from "./server/index.ts";
import { type DataDirectoryLock, holdDataDirectory } from "./store/index.ts";
import { createLog, createScope, systemClock, systemIds, timeOfDayClock } from "./system.ts";

export {
  type ClaudeAgentOptions,
  type ClaudeCliAgentOptions,
  type CodexAgentOptions,
  type CodexSandbox,
  createClaudeAgent,
  createClaudeCliAgent,
  createCodexAgent,
  demoAgent,
} from "./agents/index.ts";
export type { AgentRuntime, CallEnd, InputBlock, TextBlock, Turn, TurnEnd } from "./core/index.ts";
export {
  type Clock,
  defineTool,
  type HookOutcome,
  type InteractionRequestWithHooks,
  type Log,
  type Prompt,
  type PromptInfo,
  type ResponseInfo,
  type ToolApproval,
  type ToolContext,
  type ToolDefinition,
  ToolError,
  type UserResponse,
} from "./core/index.ts";
export type { PluginChange, PluginInstance, PluginProblem, PluginSetup } from "./plugins/index.ts";
export type { FrameChannel } from "./protocol/index.ts";
export type { Credentials, Listener } from "./server/index.ts";
export type { StoreAddress, StoreSettings } from "./open-store.ts";
export { DataDirectoryInUse, PostgresUnusable } from "./store/index.ts";

export interface BeckonOptions {
  /** A folder, made if it is not there and held until `close`; or `:memory:`, which keeps nothing. */
  dataDir: string;
  /**
   * A PostgreSQL (16 or newer) that any number of servers may share, each with a `dataDir` of its
   * own: `postgres://USER:PASSWORD@HOST:PORT/DATABASE`. @default SQLite in `dataDir`
   */
  store?: StoreAddress;
  /** What people call this server among those that share a store. @default made from host and `dataDir` */
  node?: string;
  /** Plugins' folders, or folders of plugins. */
  plugins?: string[];
  /**
   * Watches the folders of plugins, loads anew what changes, and is called with what became of it.
   * For development: what was loaded before stays in memory.
   */
  watchPlugins?: (change: PluginChange) => void;
  /** What each plugin is given as its settings, by its id. */
  pluginSettings?: Record<string, Record<string, unknown>>;
  /** Names beside the loopback ones under which `listen` may be reached: `name` or `name:port`. */
  allowedHosts?: string[];
  /**
   * How prompts wait that do not say it themselves, of tools, plugins and agents alike. @default
   * what asks people (questions, approvals, programs) waits for ever and for people who are not
   * there yet; a tool's own `requestInteraction` waits five minutes, and fails when nobody is there
   */
  defaults?: { timeoutMs?: number | null; whenUnavailable?: "throw" | "wait" };
  /** Names of the server's environment that commands of `bash` get too. @default none */
  bashEnv?: readonly string[];
  /** Beside the built-in ones. */
  tools?: ToolDefinition[];
  /** The first is what a session gets that names none. @default the demo agent alone */
  agents?: AgentRuntime[];
  clock?: Clock;
  /** Wraps what the engine stands on: how the crash tests kill a server between two of its steps. */
  unstable_ports?(ports: CorePorts): CorePorts;
  /** @default JSON lines on stderr, from the level in `BECKON_LOG` (warn) on */
  log?: Log;
}

/** A whole server in this process. */
export interface Beckon {
  /** Answers a request as the HTTP server would, with the same checks. */
  fetch(request: Request): Promise<Response>;
  /** Speaks the frames of `/ws`; a credential that is not good closes it with 4001. */
  connect(credential: string): FrameChannel;
  /** Opens HTTP and the WebSocket. `close` closes them too. */
  listen(at: { host: string; port: number }): Promise<Listener>;
  /**
   * A fresh address of the page that signs in a browser as the owner, once, within a minute. Throws
   * before `listen`: without it there is no page.
   */
  signInUrl(): Promise<string>;
  readonly credentials: Credentials;
  /** A person's credential: the owner's. */
  readonly ownerToken: string;
  /** Which plugins were skipped, and why. */
  readonly pluginProblems: readonly PluginProblem[];
  /** Stops taking work and lets go of everything. Prompts stay open. */
  close(): Promise<void>;
}

/**
 * Puts a server together: store, engine, agents, tools, plugins and every entrance.
 *
 * Throws `DataDirectoryInUse` when another process holds the directory, `PostgresUnusable` when the
 * store cannot be used.
 */
export async function createBeckon(options: BeckonOptions): Promise<Beckon> {
  const closers: (() => unknown)[] = [];
  const close = async () => {
    const failures: unknown[] = [];
    for (const closer of closers.splice(0).toReversed()) {
      await Promise.resolve()
        .then(closer)
        .catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw new AggregateError(failures, "Beckon did not close cleanly.");
  };
  try {
    return Object.assign(await assemble(options, closers), { close });
  } catch (error) {
    await close();
    throw error;
  }
}

/** @param closers what has to be let go of, in order of getting hold of it */
async function assemble(
  options: BeckonOptions,
  closers: (() => unknown)[],
): Promise<Omit<Beckon, "close">> {
  const { clock = systemClock, log = createLog(), dataDir } = options;
  const kept = dataDir !== ":memory:";
  let lock: DataDirectoryLock | undefined;
  if (kept) {
    lock = holdDataDirectory(dataDir);
    closers.push(() => lock?.release());
  }
  const timeOfDay = options.clock ?? timeOfDayClock;
  const { store, bus, isShared, ...opened } = await openStore(options, { clock, timeOfDay, log });
  closers.push(() => store.close());
  if (options.store !== undefined) lock?.describe({ store: nameOfStore(options.store) });
  const credentials = createCredentials({ store, ids: systemIds, clock: opened.clock, bus });
  await credentials.ensureOwner();
  const ownerToken = kept
    ? await writeOwnerToken(credentials, dataDir)
    : (await credentials.createToken({ holder: { principalId: OWNER_ID } })).token;

  let address: string | undefined;
  const access = createMachineAccess(credentials, () => address, log);
  closers.push(() => access.releaseAll());
  const asking = createAskingPrograms({
    address: () => address,
    findOperation: (plugin, id) => tools.get(plugins.toolFor(plugin, id) ?? ""),
  });
  const bash = createBashTool({
    machineAccess: access.lend,
    asking,
    allowedEnv: options.bashEnv,
  });
  const ownTools = [...builtinTools, bash, ...(options.tools ?? [])];
  const pluginsDataDir = kept
    ? join(dataDir, "plugins")
    : join(tmpdir(), `beckon-plugins-${randomUUID()}`);
  if (!kept) closers.push(() => rm(pluginsDataDir, { recursive: true, force: true }));
  const plugins = await loadPlugins(options.plugins ?? [], {
    pluginsDataDir,
    log,
    settings: options.pluginSettings,
    takenTools: ownTools.map(({ name }) => name),
  });
  closers.push(() => plugins.shutdown());
  const { watchPlugins: tell } = options;
  if (tell) {
    const reload = async (folders: ReadonlySet<string>) => {
      for (const change of await plugins.reload(folders)) tell(change);
    };
    const watching = watchPlugins(
      options.plugins ?? [],
      (folders) => {
        reload(folders).catch((error: unknown) =>
          log.error({ error }, "Plugins were not reloaded."),
        );
      },
      log,
    );
    closers.push(() => watching.close());
  }

  const tools = createToolRegistry(ownTools, plugins);
  const agents = options.agents ?? [demoAgent];
  const ports: CorePorts = {
    store,
    bus,
    clock,
    ids: systemIds,
    scope: createScope(),
    agents: createAgentRegistry([...agents, outsideAgent]),
    tools,
    log,
    access: access.lend,
    asking,
    sealing: createSealing(),
  };
  const host = hostname();
  const core = createCore({
    ...(options.unstable_ports?.(ports) ?? ports),
    owner: `${host}:${process.pid}:${randomUUID()}`,
    node: { name: options.node ?? nodeNameFor(dataDir), host, version: packageVersion() },
    shared: isShared,
    defaultAgent: agents[0]?.id,
    defaults: options.defaults,
  });
  closers.push(() => core.stop());
  await core.start();

  const server = createServer({
    core,
    credentials,
    plugins,
    // What clients are told is the time by which deadlines pass.
    clock: { ...clock, now: () => store.clock.now() },
    ids: systemIds,
    log,
    bus,
    version: packageVersion(),
    allowHosts: options.allowedHosts,
  });
  closers.push(() => server.close());

  return {
    fetch: (request) => server.fetch(request),
    connect: (credential) => server.connect(credential),
    async listen(at) {
      const listener = await server.listen(at);
      closers.push(() => listener.close());
      address = listener.url;
      lock?.describe({ url: listener.url, port: listener.port });
      return listener;
    },
    async signInUrl() {
      if (address === undefined)
        throw new Error("There is no page to sign in to. Call listen first.");
      return addressWithCode(address, await credentials.createSigninCode());
    },
    credentials,
    ownerToken,
    get pluginProblems() {
      return plugins.problems;
    },
  };
}
