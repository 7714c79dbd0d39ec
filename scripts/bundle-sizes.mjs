// What people download before the page, or a card in somebody else's app, works: bytes after gzip.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, minifySync } from "vite";

const folder = fileURLToPath(new URL("../dist/web", import.meta.url));
const react = fileURLToPath(new URL("../src/react/index.ts", import.meta.url));

/** What an app imports to show every kind of card. */
const CARDS =
  "TransportProvider, LiveRegion, InteractionCard, QuestionPrompt, ToolApproval, InputForm";

/** The page, and what cards add to an app that has React. */
export async function bundleSizes() {
  return {
    script: sizeOfInitial(".js"),
    styles: sizeOfInitial(".css"),
    cards: await sizeOfModule(`export { ${CARDS} } from ${JSON.stringify(react)};`, /^react/),
  };
}

/** What stands beside them: React that draws nothing, and style sheets that only reset. */
export async function bareSizes() {
  return {
    react: await sizeOfModule('export { createRoot } from "react-dom/client";'),
    styles: gzipped(readFileSync(fileURLToPath(import.meta.resolve("tailwindcss/preflight.css")))),
  };
}

function sizeOfInitial(/** @type {string} */ ending) {
  return initialFiles()
    .filter((path) => path?.endsWith(ending))
    .reduce((sum, path) => sum + gzipped(readFileSync(`${folder}/${path}`)), 0);
}

/** What index.html names, and what those files import before they run. */
function initialFiles() {
  const html = readFileSync(`${folder}/index.html`, "utf8");
  const found = new Set([...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, p]) => p));
  for (const path of found) {
    if (!path?.endsWith(".js")) continue;
    const script = readFileSync(`${folder}/${path}`, "utf8");
    for (const [, name] of script.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) {
      found.add(`assets/${name}`);
    }
  }
  return [...found];
}

/**
 * What of a module has to be there before anything is drawn.
 *
 * @param {string} source
 * @param {RegExp} [external] what whoever imports it has already
 */
async function sizeOfModule(source, external) {
  const [built] = /** @type {import("vite").Rolldown.RolldownOutput[]} */ (
    await build({
      configFile: false,
      logLevel: "error",
      plugins: [
        {
          name: "measured",
          resolveId: (id) => (id === "measured" ? id : undefined),
          load: (id) => (id === "measured" ? source : undefined),
        },
      ],
      define: { "process.env.NODE_ENV": '"production"' },
      build: {
        write: false,
        minify: false,
        lib: { entry: "measured", formats: ["es"] },
        rolldownOptions: { input: "measured", ...(external ? { external } : {}) },
      },
    })
  );
  const chunks = (built?.output ?? []).flatMap((file) => (file.type === "chunk" ? [file] : []));
  const initial = new Set(chunks.filter(({ isEntry }) => isEntry));
  for (const { imports } of initial)
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) initial.add(chunk);
  return [...initial].reduce(
    (sum, { fileName, code }) => sum + gzipped(minifySync(fileName, code, { module: true }).code),
    0,
  );
}

function gzipped(/** @type {string | Buffer} */ content) {
  return gzipSync(content, { level: 9 }).length;
}
