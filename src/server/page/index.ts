import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

interface PageFile {
  type: string;
  body: Uint8Array<ArrayBuffer>;
  /** Its name changes with its content, so it may be kept for ever. */
  immutable: boolean;
  encoding?: "gzip";
}

/** What `/` and its files are. Nothing in them may be private: they are served to anybody. */
export interface Page {
  file(path: string, accepted: { gzip: boolean }): Promise<PageFile | undefined>;
}

/** Where `npm run build` puts the page, seen from the sources and from what is compiled of them. */
const BUILT = fileURLToPath(new URL("../../../dist/web", import.meta.url));

const TYPES: Record<string, string> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

/** One file of the folder itself or of its `assets`; no name that could lead elsewhere. */
const FILE = /^\/(assets\/)?[A-Za-z0-9_-][A-Za-z0-9_.-]*\.([a-z]+)$/;

/** Serves the built page from its folder, read anew each time so that a new build shows at once. */
export function createPage(folder = BUILT): Page {
  return {
    async file(path, accepted) {
      const name = path === "/" ? "/index.html" : path;
      const [, assets, extension = ""] = FILE.exec(name) ?? [];
      const type = Object.hasOwn(TYPES, extension) ? TYPES[extension] : undefined;
      if (type === undefined) return undefined;
      const shown = { type, immutable: assets !== undefined };
      const packed = accepted.gzip ? await read(join(folder, `${name}.gz`)) : undefined;
      if (packed) return { ...shown, body: packed, encoding: "gzip" };
      const body = await read(join(folder, name));
      return body && { ...shown, body };
    },
  };
}

async function read(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return new Uint8Array(await readFile(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "EISDIR" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
