import { realpathSync } from "node:fs";
import { createRequire, register } from "node:module";
import { join, sep } from "node:path";
import { pathToFileURL } from "node:url";

/*
 * Node keeps every module that it has imported. What is to be loaded anew is imported under another
 * address: `index.js?edition=2`. The modules that it imports by a relative path get the same mark,
 * so that a plugin of several files is loaded anew as a whole; packages are loaded once. What was
 * loaded before stays in memory, which is why this is for development.
 */

const MARK = "edition";

/** Imports a plugin's code; anew for each edition after the first. */
export async function importEdition(
  folder: string,
  entry: string,
  edition: number,
): Promise<{ default?: unknown }> {
  const url = pathToFileURL(entry);
  if (edition > 0) {
    passMarkOn();
    forgetCommonJs(folder);
    url.searchParams.set(MARK, String(edition));
  }
  return (await import(url.href)) as { default?: unknown };
}

/** CommonJS modules are known by their file alone, whatever the address says. */
function forgetCommonJs(folder: string): void {
  const { cache } = createRequire(join(folder, "index.js"));
  const real = realpathSync(folder);
  for (const file of Object.keys(cache)) {
    if (!file.startsWith(real + sep) || file.includes(`${sep}node_modules${sep}`)) continue;
    delete cache[file];
  }
}

let passesOn = false;

function passMarkOn(): void {
  if (passesOn) return;
  passesOn = true;
  register(`data:text/javascript,${encodeURIComponent(HOOK)}`);
}

/** Runs in a thread of its own, where nothing of ours can be imported. */
const HOOK = `
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  if (!/^\\.{1,2}\\//.test(specifier) || !context.parentURL?.startsWith("file:")) return found;
  const mark = new URL(context.parentURL).searchParams.get("${MARK}");
  if (mark === null || !found.url.startsWith("file:")) return found;
  const url = new URL(found.url);
  url.searchParams.set("${MARK}", mark);
  return { ...found, url: url.href };
}
`;
