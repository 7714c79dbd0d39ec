import { Command } from "commander";
import type { Io } from "../io.ts";
import { addAskingOptions, type AskingOptions } from "./options.ts";
import { putQuestion } from "./put-question.ts";
import { Given } from "../read-given.ts";

interface Options extends AskingOptions {
  details?: string;
  name?: string;
}

export function confirmCommand(io: Io, args: readonly string[]): Command {
  const command = new Command("confirm")
    .description("ask for a yes: ends with 0 if it was given, with 3 if not")
    .argument("<question>", "what to approve; - reads it from stdin")
    .option("--details <file>", "show what is to be approved: JSON or text; - reads stdin")
    .option("--name <name>", "what is to be allowed, as the card calls it");
  return addAskingOptions(command, io).action(async (question: string, options: Options) => {
    const given = new Given(io);
    const prompt = await given.text(question, "the question");
    const { details, name } = options;
    return putQuestion(io, args, options, {
      type: "approval",
      prompt,
      toolName: name ?? "confirm",
      ...(name === undefined ? { kind: "confirm" } : {}),
      approvalScopes: ["once"],
      ...(details === undefined
        ? {}
        : { toolInput: toInput(await given.file(details, "--details")) }),
    });
  });
}

/** JSON is shown by its parts; what is none, as it is. */
function toInput(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // It is text.
  }
  return text;
}
