// Fails when the built page outgrows what people were promised to download before it works.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, minifySync } from "vite";

const folder = fileURLToPath(new URL("../dist/web", import.meta.url));
const html = readFileSync(`${folder}/index.html`, "utf8");

/** What index.html names, and what those files import before they run. */
function initialFiles() {
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

const sizeOf = (/** @type {string} */ ending) =>
  initialFiles()
    .filter((path) => path?.endsWith(ending))
    .reduce(
      (sum, path) => sum + gzipSync(readFileSync(`${folder}/${path}`), { level: 9 }).length,
      0,
    );

/** What an app imports to show every kind of card. */
const CARDS =
  "TransportProvider, LiveRegion, InteractionCard, QuestionPrompt, ToolApproval, InputForm";

/** What of them has to be there before anything is drawn, without React, which the app has. */
async function sizeOfCards() {
  const react = fileURLToPath(new URL("../src/react/index.ts", import.meta.url));
  const [built] = /** @type {import("vite").Rolldown.RolldownOutput[]} */ (
    await build({
      configFile: false,
      logLevel: "error",
      plugins: [
        {
          name: "cards",
          resolveId: (id) => (id === "cards" ? id : undefined),
          load: (id) =>
            id === "cards" ? `export { ${CARDS} } from ${JSON.stringify(react)};` : undefined,
        },
      ],
      build: {
        write: false,
        minify: false,
        lib: { entry: "cards", formats: ["es"] },
        rolldownOptions: { input: "cards", external: /^react/ },
      },
    })
  );
  const chunks = (built?.output ?? []).flatMap((file) => (file.type === "chunk" ? [file] : []));
  const initial = new Set(chunks.filter(({ isEntry }) => isEntry));
  for (const { imports } of initial)
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) initial.add(chunk);
  return [...initial].reduce((sum, { fileName, code }) => {
    const small = minifySync(fileName, code, { module: true }).code;
    return sum + gzipSync(small, { level: 9 }).length;
  }, 0);
}

const budgets = [
  { what: "initial JavaScript", bytes: sizeOf(".js"), allowed: 130_000 },
  { what: "style sheets", bytes: sizeOf(".css"), allowed: 12_000 },
  { what: "cards of beckon/react", bytes: await sizeOfCards(), allowed: 10_000 },
];
let failed = false;
for (const { what, bytes, allowed } of budgets) {
  const over = bytes > allowed || bytes === 0;
  failed ||= over;
  const kilobytes = (/** @type {number} */ n) => (n / 1000).toFixed(1);
  console.log(
    `${over ? "✗" : "✓"} ${what}: ${kilobytes(bytes)} kB of ${kilobytes(allowed)} kB (gzip)`,
  );
}
const inline = /<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=/.exec(html);
if (inline) console.log(`✗ index.html holds ${inline[0]}, which the page's policy would refuse`);
const assets = readdirSync(`${folder}/assets`).filter((name) => !name.endsWith(".gz"));
console.log(`  ${assets.length} files in all`);
process.exitCode = failed || inline ? 1 : 0;
