import { readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { defineTool } from "beckon";

/**
 * A tool that deletes the files of a folder that end in a certain way. It is held until somebody has
 * seen which files these are, and approved.
 *
 * @param {string} folder
 */
export function createCleanUp(folder) {
  /** @typedef {{ ending: string, files?: string[] }} Args */

  return defineTool({
    name: "clean_up",
    description: "Deletes the files whose names end in a certain way.",
    version: "1",
    durable: "replay",
    parameters: {
      type: "object",
      properties: {
        ending: { type: "string", minLength: 1 },
        files: { type: "array", items: { type: "string" } },
      },
      required: ["ending"],
      additionalProperties: false,
    },

    approval: {
      /**
       * Names the files before anybody is asked. Only those that the ending covers, whatever was
       * asked for: an approval for ".log" must not delete anything else.
       *
       * @param {Args} args
       */
      complete: ({ ending, files = readdirSync(folder) }) => ({
        ending,
        files: files.filter((name) => name.endsWith(ending) && name === basename(name)),
      }),
      prompt: ({ ending }) => `Delete these files that end in ${ending}?`,
      key: ({ ending }) => ending,
      covers: {
        session: ["Every file with this ending, in this session."],
        always: ["Every file with this ending, in every session."],
      },
      scopes: ["once", "session", "always"],
      editable: true,
      timeoutMs: null,
    },

    /** @param {Args} args */
    handler: ({ files = [] }, ctx) =>
      ctx.step("delete", () => {
        for (const name of files) rmSync(join(folder, name), { force: true });
        return { deleted: files };
      }),
  });
}
