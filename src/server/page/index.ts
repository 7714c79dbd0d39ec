import { HTML, ICON } from "./html.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";

/** What `/` and its files are. Nothing in them may be private: they are served to anybody. */
export interface Page {
  file(path: string): { type: string; body: string | Uint8Array<ArrayBuffer> } | undefined;
}

const FILES = new Map([
  ["/", { type: "text/html; charset=utf-8", body: HTML }],
  ["/assets/app.js", { type: "text/javascript; charset=utf-8", body: SCRIPT }],
  ["/assets/app.css", { type: "text/css; charset=utf-8", body: STYLE }],
  ["/assets/icon.svg", { type: "image/svg+xml", body: ICON }],
]);

/** A small page that shows what waits and what runs. */
export const builtinPage: Page = { file: (path) => FILES.get(path) };
