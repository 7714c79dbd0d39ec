import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { visibleText } from "../client/index.ts";
import { type Beckon, createBeckon, type PluginChange } from "../beckon.ts";
import { addressWithCode } from "../server/index.ts";
import { createLog } from "../system.ts";
import { hasDatabase, makeDataDirectory } from "./data.ts";
import { dataArguments, quoted } from "./shell-words.ts";
import { CommandFailure, EXIT } from "./failure.ts";
import type { Io } from "./io.ts";
import { collect, dataOption, parseNodeName, parsePort, storeOf, storeOption } from "./options.ts";
import { createAgents } from "./create-agents.ts";
import { readSettings } from "./settings.ts";
import { surviveStrayErrors } from "./stray-errors.ts";

/** Beside the sources and beside the build. */
const OFFICIAL_PLUGINS = fileURLToPath(new URL("../../plugins", import.meta.url));

interface Options {
  host: string;
  port: number;
  data: string;
  store?: string;
  node?: string;
  plugins?: string[];
  officialPlugins: boolean;
  watchPlugins?: boolean;
  allowHost?: string[];
  json?: boolean;
}

export function serveCommand(io: Io): Command {
  return new Command("serve")
    .description("start the server and print its address")
    .option("--host <address>", "the address to listen on", "127.0.0.1")
    .option("--port <number>", "the port to listen on; 0 picks a free one", parsePort, 4780)
    .addOption(dataOption(io.env))
    .addOption(storeOption())
    .option("--node <name>", "what to call it among the servers of one --store", parseNodeName)
    .option("--plugins <dir>", "a plugin's folder, or a folder of plugins; repeatable", collect)
    .option("--watch-plugins", "load plugins anew when their files change, for writing them")
    .option("--no-official-plugins", "do without the plugins that come with Beckon")
    .option("--allow-host <name>", "another name it may be reached by; repeatable", collect)
    .option("--json", "print one JSON object when it listens")
    .action((options: Options) => serve(io, options));
}

async function serve(io: Io, options: Options): Promise<void> {
  const { host, data, plugins = [], allowHost = [] } = options;
  if (!isLoopback(host) && allowHost.length === 0) {
    throw new CommandFailure(
      `${host} can be reached from other machines. Say under which name it may be used: --allow-host NAME`,
      EXIT.usage,
    );
  }
  makeDataDirectory(data);
  const stop = io.stopSignal();
  const log = createLog(io.env["BECKON_LOG"]);
  const letThemEnd = surviveStrayErrors(log);
  try {
    const settings = readSettings(data);
    const url = storeOf(io.env, options.store);
    if (url !== undefined && hasDatabase(data)) io.err(unusedDatabase(data));
    const beckon = await createBeckon({
      dataDir: data,
      ...(url !== undefined && { store: { url, ...settings.store } }),
      ...(options.node !== undefined && { node: options.node }),
      plugins: [...plugins, ...(options.officialPlugins ? [OFFICIAL_PLUGINS] : [])],
      ...(options.watchPlugins && {
        watchPlugins: (change: PluginChange) => io.err(visibleText(change.message)),
      }),
      pluginSettings: settings.plugins,
      defaults: {
        timeoutMs: settings.defaults?.timeoutMs,
        whenUnavailable: settings.defaults?.whenUnavailable,
      },
      bashEnv: settings.bash?.env,
      allowedHosts: allowHost,
      agents: createAgents(settings, data, url === undefined ? io.env : withoutPassword(io.env)),
      log,
    });
    try {
      await announce(io, beckon, options);
      await aborted(stop);
    } finally {
      await beckon.close();
    }
  } finally {
    letThemEnd();
  }
}

/** With the store's password an agent could write its own approval. */
function withoutPassword({ PGPASSWORD: _password, PGPASSFILE: _file, ...env }: Io["env"]) {
  return env;
}

/** By `npm start` in a clone of ours, where there is no command `beckon` yet. */
function isStartOfClone(env: Io["env"]): boolean {
  return env["npm_lifecycle_event"] === "start" && env["npm_package_name"] === "beckon";
}

async function announce(io: Io, beckon: Beckon, options: Options): Promise<void> {
  const { host, port, json, data } = options;
  for (const { plugin, message } of beckon.pluginProblems) {
    io.err(`The plugin ${visibleText(plugin)} was skipped. ${visibleText(message)}`);
  }
  const listening = await beckon.listen({ host, port });
  const code = await beckon.credentials.createSigninCode();
  const url = addressWithCode(listening.url, code);
  if (json) {
    io.out(JSON.stringify({ url, port: listening.port, pid: process.pid, code }));
  } else {
    io.out(`Beckon listens on ${url}`);
    const program = isStartOfClone(io.env) ? "node bin/beckon.js" : "beckon";
    const where = [...dataArguments(data), ...(options.store ? ["--store", "…"] : [])];
    const command = [program, "open", ...where.map(quoted)].join(" ");
    io.err(
      `Open it within a minute; \`${visibleText(command)}\` prints a fresh address. Ctrl+C stops.`,
    );
  }
}

function unusedDatabase(data: string): string {
  return (
    `What is in the beckon.db of ${data} is not in that store, and stays where it is. ` +
    "To take it along, stop the servers and use: beckon move"
  );
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
