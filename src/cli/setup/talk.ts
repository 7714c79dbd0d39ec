import { createInterface } from "node:readline/promises";
import { CommandFailure, EXIT } from "../failure.ts";
import type { Terminal } from "../io.ts";

/** Asks the person at the terminal. */
export interface Talk {
  /** What was typed; `usual` for an empty line. */
  ask(question: string, usual?: string): Promise<string>;
  /** Only a plain yes is one. */
  confirm(question: string): Promise<boolean>;
  close(): void;
}

export function openTalk({ input, output }: Terminal): Talk {
  const lines = createInterface({ input, output });
  const gone = new AbortController();
  lines.once("close", () => gone.abort());
  const ask: Talk["ask"] = async (question, usual = "") => {
    const shown = usual === "" ? `${question} ` : `${question} [${usual}] `;
    try {
      return (await lines.question(shown, { signal: gone.signal })).trim() || usual;
    } catch {
      throw new CommandFailure("Nothing more was written.", EXIT.interrupted);
    }
  };
  return {
    ask,
    confirm: async (question) => /^y(es)?$/i.test(await ask(`${question} [y/N]`)),
    close: () => lines.close(),
  };
}
