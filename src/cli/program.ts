import { Command } from "commander";
import { packageVersion } from "../system.ts";
import { askingCommands } from "./ask/index.ts";
import { auditCommand } from "./audit.ts";
import { connectCommand } from "./connect/index.ts";
import { EXIT, toExit } from "./failure.ts";
import { hookCommand } from "./hook.ts";
import type { Io } from "./io.ts";
import { mcpCommand } from "./mcp/index.ts";
import { openCommand } from "./open.ts";
import { peopleCommands } from "./people/index.ts";
import { pluginCommand } from "./plugin/index.ts";
import { serveCommand } from "./serve.ts";
import { tokenCommand } from "./token.ts";
import { visible } from "./visible.ts";

const EXAMPLES = `
Examples:
  beckon serve                              start, and print the address to open
  beckon serve --port 0 --plugins ./tools   any free port, with the plugins in ./tools
  beckon open                               a fresh address of the running server
  beckon inbox                              what waits for you, and answer it
  beckon answer ID --approve                answer one prompt, also in a script
  beckon grants list                        what you allowed beyond one call
  beckon token create --kind machine        a token for a script or an agent
  beckon token list                         who may come in
  beckon audit list                         who decided what
  beckon audit verify                       whether that record is whole
  NAME=$(beckon ask "Which name?")          ask from a script, and wait for the answer
  beckon confirm "Deploy?" && ./deploy.sh   go on only after a yes
  beckon plugin new my-tools                the folder of a plugin, ready to run
  beckon connect claude                     how a claude in a terminal asks here
`;

/** Runs one command line and resolves with its exit code. */
export async function run(args: string[], io: Io): Promise<number> {
  const program = new Command("beckon")
    .description("Agents ask, people answer.")
    .version(packageVersion())
    .addCommand(serveCommand(io))
    .addCommand(openCommand(io))
    .addCommand(tokenCommand(io))
    .addCommand(auditCommand(io))
    .addCommand(connectCommand(io))
    .addCommand(pluginCommand(io))
    .addCommand(hookCommand(io))
    .addCommand(mcpCommand(io))
    .addHelpText("after", EXAMPLES);
  for (const command of askingCommands(io, args)) program.addCommand(command);
  for (const command of peopleCommands(io)) program.addCommand(command);
  prepare(program, io);
  try {
    await program.parseAsync(args, { from: "user" });
    return EXIT.ok;
  } catch (error) {
    const { exitCode, message } = toExit(error);
    // The server, a manifest and an operation may have put words of others into it.
    if (message !== undefined) io.err(message.split("\n").map(visible).join("\n"));
    if (io.env["BECKON_DEBUG"] && error instanceof Error) io.err(error.stack ?? "");
    return exitCode;
  }
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
