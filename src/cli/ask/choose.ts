import { Command } from "commander";
import { LIMITS } from "../../protocol/index.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import type { Io } from "../io.ts";
import { addAskingOptions, type AskingOptions } from "./options.ts";
import { oneField } from "./one-field.ts";
import { putQuestion } from "./put-question.ts";
import { Given } from "../read-given.ts";

interface Options extends AskingOptions {
  multi?: boolean;
}

/** The keys 1 to 9 choose; what is longer is better folded. */
const SHOWN_AT_ONCE = 9;

export function chooseCommand(io: Io, args: readonly string[]): Command {
  const command = new Command("choose")
    .description("let somebody choose, and print what was chosen")
    .argument("<question>", "what to ask")
    .argument("<option...>", "two or more to choose from; - reads them from stdin, one a line")
    .option("--multi", "several may be chosen; each is printed on a line of its own");
  return addAskingOptions(command, io).action(
    async (question: string, given: string[], options: Options) => {
      const labels = await readLabels(io, given);
      const field = {
        type: typeOf(labels, options),
        options: labels.map((label) => ({ value: label, label })),
      };
      return putQuestion(io, args, options, oneField(question, field));
    },
  );
}

function typeOf(labels: string[], { multi }: Options): "multiselect" | "radio" | "select" {
  if (multi) return "multiselect";
  return labels.length > SHOWN_AT_ONCE ? "select" : "radio";
}

async function readLabels(io: Io, given: string[]): Promise<string[]> {
  const labels =
    given.length === 1 && given[0] === "-"
      ? (await new Given(io).file("-", "the options")).split(/\r?\n/).filter((line) => line !== "")
      : given;
  const problem = whatIsWrong(labels);
  if (problem !== undefined) throw new CommandFailure(problem, EXIT.usage);
  return labels;
}

function whatIsWrong(labels: string[]): string | undefined {
  if (labels.length < 2) return "Give two or more options to choose from.";
  if (labels.length > LIMITS.options) return `At most ${LIMITS.options} options can be shown.`;
  if (labels.includes("")) return "An option cannot be empty.";
  if (new Set(labels).size < labels.length) return "Each option can be given only once.";
  return undefined;
}
