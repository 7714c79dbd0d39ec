import { rmSync } from "node:fs";
import { resolve } from "node:path";

export default {
  operations: {
    /** @param {{ files: string[] }} args @param {import("beckon/plugin").OperationContext} ctx */
    delete: ({ files }, ctx) =>
      ctx.step("delete", () => {
        for (const file of files) rmSync(resolve(ctx.cwd ?? ".", file));
        return { deleted: files };
      }),
  },
};
