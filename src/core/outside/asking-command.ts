import { literalWords } from "./shell-words.ts";

/*
 * Which command lines of an agent's shell can do nothing but ask people, or call an operation,
 * through the server that lends them its token. Decided from the text alone; whatever is not known
 * here to be harmless is for a person to allow.
 */

interface Known {
  /** How many arguments it takes beside its options. */
  from: number;
  to: number;
  /** Options that stand alone. */
  flags: string[];
  /** Options that take a value. */
  values: string[];
}

const ASKING = {
  flags: ["--no-wait", "--require-client", "--json"],
  values: ["--key", "--timeout"],
};

/**
 * Not among them: `--data`, `--schema`, `--questions` and `--details`, which read files; `--session`,
 * which asks elsewhere than in the place of the call; and `--help`, which asks nothing.
 */
const COMMANDS = new Map<string, Known>([
  ["ask", { from: 1, to: 1, ...ASKING, flags: [...ASKING.flags, "--multiline"] }],
  ["confirm", { from: 1, to: 1, ...ASKING, values: [...ASKING.values, "--name"] }],
  ["choose", { from: 3, to: Infinity, ...ASKING, flags: [...ASKING.flags, "--multi"] }],
  ["call", { from: 2, to: 3, flags: ["--json"], values: ["--key"] }],
]);

export interface AskingCommand {
  /** The arguments of `beckon`. */
  args: string[];
  /** Which operation it calls, if it calls one. */
  operation?: { plugin: string; id: string };
}

/** What the longest command of a shell has. */
const CHARACTERS = 20_000;

/** Reads a command line as one plain `beckon ask`, `confirm`, `choose` or `call`; else nothing. */
export function parseAskingCommand(text: string): AskingCommand | undefined {
  const [program, ...args] = (text.length <= CHARACTERS && literalWords(text)) || [];
  const [name = "", ...rest] = args;
  const known = program === "beckon" ? COMMANDS.get(name) : undefined;
  const operands = known && operandsOf(known, rest);
  if (!operands || operands.length < known.from || operands.length > known.to) return undefined;
  const [plugin = "", id = ""] = operands;
  return { args, ...(name === "call" ? { operation: { plugin, id } } : {}) };
}

/** The arguments that are no options; nothing if one might be an option that is not known here. */
function operandsOf({ flags, values }: Known, args: string[]): string[] | undefined {
  const operands: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? "";
    const isJoined = values.some((name) => word.startsWith(`${name}=`));
    if (flags.includes(word) || isJoined) continue;
    const isOption = values.includes(word);
    const given = isOption ? args[++at] : word;
    // Also `-`, which reads standard input, and `--`, after which options are none.
    if (given === undefined || given.startsWith("-")) return undefined;
    if (!isOption) operands.push(given);
  }
  return operands;
}
