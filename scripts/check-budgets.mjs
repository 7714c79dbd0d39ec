// Fails when the built page outgrows what people were promised to download before it works.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bundleSizes } from "./bundle-sizes.mjs";

const folder = fileURLToPath(new URL("../dist/web", import.meta.url));
const html = readFileSync(`${folder}/index.html`, "utf8");

const { script, styles, cards } = await bundleSizes();
const budgets = [
  { what: "initial JavaScript", bytes: script, allowed: 130_000 },
  { what: "style sheets", bytes: styles, allowed: 12_000 },
  { what: "cards of beckon/react", bytes: cards, allowed: 10_000 },
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
