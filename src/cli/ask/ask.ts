import { Command, Option } from "commander";
import type { AskBody } from "../../protocol/index.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import type { Io } from "../io.ts";
import { addAskingOptions, type AskingOptions } from "./options.ts";
import { oneField } from "./one-field.ts";
import { putQuestion } from "./put-question.ts";
import { Given } from "../read-given.ts";

interface Options extends AskingOptions {
  multiline?: boolean;
  schema?: string;
  questions?: string;
}

export function askCommand(io: Io, args: readonly string[]): Command {
  const command = new Command("ask")
    .description("ask a question and print the answer")
    .argument("[question]", "what to ask; - reads it from stdin")
    .option("--multiline", "leave room for several lines")
    .addOption(
      new Option("--schema <file>", "ask with this form, as JSON; - reads stdin").conflicts([
        "questions",
        "multiline",
      ]),
    )
    .addOption(
      new Option("--questions <file>", "ask these questions, as JSON; - reads stdin").conflicts(
        "multiline",
      ),
    );
  return addAskingOptions(command, io).action(
    async (question: string | undefined, options: Options) =>
      putQuestion(io, args, options, await toQuestion(new Given(io), question, options)),
  );
}

async function toQuestion(
  given: Given,
  question: string | undefined,
  { schema, questions, multiline }: Options,
): Promise<Partial<AskBody>> {
  const prompt = question === undefined ? undefined : await given.text(question, "the question");
  if (schema !== undefined) {
    const form = Object(await given.json(schema, "--schema")) as AskBody["inputSchema"];
    return { type: "input", prompt, inputSchema: { ...form, type: "form" } };
  }
  if (questions !== undefined) {
    const list = (await given.json(questions, "--questions")) as AskBody["questions"];
    return { type: "input", prompt, questions: list, presentation: "questionnaire" };
  }
  if (!prompt) throw new CommandFailure("Say what to ask: beckon ask QUESTION", EXIT.usage);
  return oneField(prompt, { type: multiline ? "textarea" : "text" });
}
