import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool } from "beckon";

// #region agent
/** An agent of the program's own. A real one would ask a model what to do. */
export const noteTaker = /** @type {import("beckon").AgentRuntime} */ ({
  id: "note-taker",
  name: "Note taker",
  description: "Writes down what you tell it.",
  capabilities: { reenter: "replay", steer: false },
  async run(turn) {
    const asked = await turn.call("ask_user", { question: "What should the note say?" });
    const text = asked.ok && /** @type {{ answer?: string }} */ (asked.result).answer;
    if (!text) {
      await turn.text("Then there is no note.");
      return { status: "completed" };
    }
    const written = await turn.call("write_note", { text });
    await turn.text(
      written.ok ? `The note is in ${String(written.result)}.` : written.error.message,
    );
    return { status: "completed" };
  },
});
// #endregion agent

// #region tool
/** A tool of the program's own, held until a person approves it. */
export const writeNote = defineTool({
  name: "write_note",
  description: "Writes a note.",
  version: "1",
  durable: "replay",
  parameters: {
    type: "object",
    properties: { text: { type: "string" } },
    required: ["text"],
    additionalProperties: false,
  },
  approval: { scopes: ["once"], timeoutMs: null },
  /** @param {{ text: string }} args */
  handler: ({ text }, ctx) =>
    ctx.step("write", async () => {
      const file = join(await mkdtemp(join(tmpdir(), "beckon-note-")), "note.txt");
      await writeFile(file, `${text}\n`);
      return file;
    }),
});
// #endregion tool
