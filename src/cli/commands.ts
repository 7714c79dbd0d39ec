import { Command, CommanderError } from "commander";
import { visibleText } from "../client/index.ts";
import { packageVersion } from "../package.ts";
import { TransportError } from "../transport/transport.ts";
import { CommandFailure, EXIT } from "./failure.ts";
import type { Io } from "./io.ts";

type Load = (io: Io, args: string[]) => Promise<Command[]>;

const asking: Load = async (io, args) => (await import("./ask/index.ts")).askingCommands(io, args);
const people: Load = async (io) => (await import("./people/index.ts")).peopleCommands(io);

/** Where each command is. Only the one that is run is loaded: a script may run hundreds. */
const COMMANDS: Record<string, Load> = {
  serve: async (io) => [(await import("./serve.ts")).serveCommand(io)],
  setup: async (io) => [(await import("./setup/index.ts")).setupCommand(io)],
  open: async (io) => [(await import("./open.ts")).openCommand(io)],
  token: async (io) => [(await import("./token.ts")).tokenCommand(io)],
  nodes: async (io) => [(await import("./nodes.ts")).nodesCommand(io)],
  audit: async (io) => [(await import("./audit.ts")).auditCommand(io)],
  move: async (io) => [(await import("./move.ts")).moveCommand(io)],
  connect: async (io) => [(await import("./connect/index.ts")).connectCommand(io)],
  plugin: async (io) => [(await import("./plugin/index.ts")).pluginCommand(io)],
  hook: async (io) => [(await import("./hook.ts")).hookCommand(io)],
  mcp: async (io) => [(await import("./mcp/index.ts")).mcpCommand(io)],
  ask: asking,
  confirm: asking,
  choose: asking,
  wait: asking,
  cancel: asking,
  call: asking,
  answer: people,
  inbox: people,
  new: people,
  sessions: people,
  tail: people,
  send: people,
  grants: people,
};

const EXAMPLES = `
Examples:
  beckon setup                              find agents, and set up what is missing
  beckon serve                              start, and print the address to open
  beckon serve --port 0 --plugins ./tools   any free port, with the plugins in ./tools
  beckon open                               a fresh address of the running server
  beckon inbox                              what waits for you, and answer it
  beckon answer ID --approve                answer one prompt, also in a script
  beckon new "Find the leak"                start a session with this message
  beckon grants list                        what you allowed beyond one call
  beckon token create --kind machine        a token for a script or an agent
  beckon token list                         who may come in
  beckon audit list                         who decided what
  beckon audit verify                       whether that record is whole
  beckon move --to postgres://…             from SQLite to a store that servers share
  NAME=$(beckon ask "Which name?")          ask from a script, and wait for the answer
  beckon confirm "Deploy?" && ./deploy.sh   go on only after a yes
  beckon plugin new my-tools                the folder of a plugin, ready to run
  beckon connect claude                     how a claude in a terminal asks here
`;

/** Runs one command line and resolves with its exit code. */
export async function runCommand(args: string[], io: Io): Promise<number> {
  const program = new Command("beckon")
    .description("Agents ask, people answer.")
    .version(packageVersion())
    .addHelpText("after", EXAMPLES);
  for (const load of toLoad(args[0])) {
    for (const command of await load(io, args)) program.addCommand(command);
  }
  prepare(program, io);
  try {
    await program.parseAsync(args, { from: "user" });
    return EXIT.ok;
  } catch (error) {
    const { exitCode, message } = toExit(error);
    // The server, a manifest and an operation may have put words of others into it.
    if (message !== undefined) io.err(visibleText(message, { multiline: true }));
    if (io.env["BECKON_DEBUG"] && error instanceof Error) io.err(error.stack ?? "");
    return exitCode;
  }
}

/** The exit code of an error that ended a command, and what to say; commander has spoken already. */
function toExit(error: unknown): { exitCode: number; message?: string } {
  if (error instanceof CommanderError) {
    return { exitCode: error.exitCode === 0 ? EXIT.ok : EXIT.usage };
  }
  if (error instanceof CommandFailure) {
    return { exitCode: error.exitCode, message: error.message };
  }
  const isSignedOut = error instanceof TransportError && error.status === 401;
  return {
    exitCode: isSignedOut ? EXIT.notSignedIn : EXIT.failure,
    message: error instanceof Error ? error.message : String(error),
  };
}

/** Who names none of them, or asks for help, is shown them all. */
function toLoad(name = ""): Set<Load> {
  const isNamed = Object.hasOwn(COMMANDS, name);
  return new Set(isNamed ? [COMMANDS[name] as Load] : Object.values(COMMANDS));
}

/** Commands that were made on their own inherit nothing, so each is told. */
function prepare(command: Command, io: Io): void {
  command
    .exitOverride()
    .showHelpAfterError("See the options with --help.")
    .configureOutput({
      writeOut: (text) => io.out(text.trimEnd()),
      writeErr: (text) => io.err(text.trimEnd()),
    });
  for (const inner of command.commands) prepare(inner, io);
}
