import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const OUT = fileURLToPath(new URL("../dist/web", import.meta.url));

/** Puts a `.gz` beside every asset; the server hands it out as it is. */
const precompress: Plugin = {
  name: "beckon:precompress",
  apply: "build",
  closeBundle() {
    for (const name of readdirSync(`${OUT}/assets`)) {
      if (name.endsWith(".gz")) continue;
      const path = `${OUT}/assets/${name}`;
      writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
    }
  },
};

/** Builds what the server serves at `/`: see `src/server/page`. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), precompress],
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: "es2022",
    // The oldest browsers that know light-dark(), which the colours are made with.
    cssTarget: ["chrome123", "safari17.5", "firefox120"],
    modulePreload: false,
    // A data: address would be refused by the page's own policy, which allows that for images only.
    assetsInlineLimit: 0,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
});
