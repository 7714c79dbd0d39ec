// Puts what the command loads into few files: reading hundreds of small ones was most of the time of
// every command. Packages that bring files of their own, native ones or workers, stay where they are.
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const BUILT = fileURLToPath(new URL("../dist", import.meta.url));
const BUNDLE = `${BUILT}/bundle`;

/** Code that looks for files beside it goes on looking where it was compiled to. */
const keepPlaces = {
  name: "keep-places",
  transform(/** @type {string} */ code, /** @type {string} */ id) {
    if (!id.startsWith(BUILT) || !code.includes("import.meta.url")) return null;
    const place = JSON.stringify(relative(BUNDLE, id));
    return code.replaceAll("import.meta.url", `new URL(${place}, import.meta.url).href`);
  },
};

const bundle = await rolldown({
  input: `${BUILT}/cli/main.js`,
  platform: "node",
  tsconfig: false,
  external: ["@photostructure/sqlite", "pino", "@anthropic-ai/claude-agent-sdk", "pg"],
  plugins: [keepPlaces],
});
await bundle.write({ dir: BUNDLE, cleanDir: true, chunkFileNames: "[name].js" });
