import { newPromptId } from "./prompt-id.ts";
import type { UserInput } from "./sdk.ts";

/** What goes into a query while it runs: messages, until nothing more will come. */
export class InputStream implements AsyncIterable<UserInput> {
  readonly #waiting: UserInput[] = [];
  #wake = () => {};
  #ended = false;

  push(text: string): void {
    this.#waiting.push({
      type: "user",
      message: { role: "user", content: text },
      parent_tool_use_id: null,
      session_id: "",
      uuid: newPromptId(),
    });
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<UserInput> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next) yield next;
      else if (this.#ended) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
