import { randomUUID } from "node:crypto";
import {
  type AskingPrograms,
  defineTool,
  type LendAccess,
  type ToolDefinition,
  ToolError,
} from "../../../core/index.ts";
import {
  BASH_LIMITS,
  BASH_PARAMETERS,
  type CompleteBashArguments,
  completeArguments,
  grantKey,
} from "./arguments.ts";
import { type CommandEnd, runCommand } from "./run-command.ts";
import { scrubbedEnvironment } from "./scrubbed-environment.ts";

export interface BashToolOptions {
  /** Lends the command what it needs to ask through this server. */
  machineAccess?: LendAccess;
  /** Runs what only asks; without it, everything is given to bash and asked about. */
  asking?: AskingPrograms;
  /** @default the environment of this process */
  processEnv?: NodeJS.ProcessEnv;
  /** Names of the environment that commands get beside what every command needs. @default none */
  allowedEnv?: readonly string[];
}

/**
 * Runs a command on this machine, with all the rights of the server's user.
 *
 * Contract: the handler gets arguments that are complete and approved, and a call that is run
 * again never runs its command again.
 */
export function createBashTool(options: BashToolOptions = {}): ToolDefinition {
  return defineTool<CompleteBashArguments>({
    name: "bash",
    description:
      "Runs a bash command on the user's machine and returns its exit code and output. There is " +
      "no input and no terminal. What it starts in the background is ended with it.",
    version: "1",
    durable: "replay",
    parameters: BASH_PARAMETERS,
    approval: {
      complete: completeArguments,
      key: grantKey,
      onlyAsks: ({ command }) => options.asking?.onlyAsks(command) ?? false,
      scopes: ["once", "session", "always"],
      editable: true,
    },
    async handler({ command, cwd, timeoutMs = BASH_LIMITS.timeoutDefaultMs }, ctx) {
      const mine = randomUUID();
      const begun = await ctx.step("begin", () => mine);
      if (begun !== mine) throw interrupted();

      const { sessionId, toolCallId, signal } = ctx;
      const access = await options.machineAccess?.({ sessionId, toolCallId });
      try {
        const program = access && options.asking?.programFor(command);
        const base = program
          ? {}
          : scrubbedEnvironment(options.processEnv ?? process.env, options.allowedEnv);
        const env = {
          ...(access?.environment(base) ?? base),
          ...(program && options.asking?.environment),
        };
        const onOutput = (text: string) => ctx.output(text);
        const running = { cwd, env, timeoutMs, signal, onOutput };
        const end = await runCommand({ command: program ?? command, ...running });
        return { ...end, ...noteOn(end, timeoutMs) };
      } finally {
        await access?.release();
      }
    },
  });
}

function interrupted(): ToolError {
  return new ToolError(
    "tool_interrupted",
    "The server stopped while this command was running; it may have run in part and was not run " +
      "again. Look at what it has done before you run it again.",
  );
}

/** An exit code speaks for itself; an end by force needs a sentence. */
function noteOn(end: CommandEnd, timeoutMs: number): { note?: string } {
  if (end.timedOut) return { note: `It was stopped because it ran for more than ${timeoutMs} ms.` };
  return end.signal ? { note: `It was ended by ${end.signal}.` } : {};
}
