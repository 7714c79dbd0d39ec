import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { codeIn } from "../support/guide-folder.ts";
import { ExampleProcess } from "./example-process.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PARTS = ["bin", "dist", "docs", "examples", "node_modules", "package.json", "plugins"];

/**
 * What npm does, without a network. `npm start` does not build, because other tests use what is
 * built at the same time, and listens on any free port. The clone is installed already; in another
 * package what it depends on, a folder, is linked.
 */
const NPM = `#!/bin/sh
case "$1" in
  install)
    if [ -e bin ]; then exit; fi
    mkdir -p node_modules
    ln -s "$(node -p 'require("./package.json").devDependencies.beckon.slice("file:".length)')" \\
      node_modules/beckon ;;
  start)
    shift
    if [ "\${1:-}" = -- ]; then shift; fi
    npm_lifecycle_event=start npm_package_name=beckon exec node bin/beckon.js serve --port 0 "$@" ;;
  test) exec node --test ;;
esac
`;

/** A clone and a home directory of somebody who has never used Beckon. */
export class Clone {
  readonly folder = mkdtempSync(join(tmpdir(), "beckon-clone-"));
  readonly home = join(this.folder, "home");
  readonly #started: ExampleProcess[] = [];

  constructor() {
    for (const part of PARTS) symlinkSync(join(ROOT, part), join(this.folder, part));
    mkdirSync(this.home);
    mkdirSync(join(this.folder, "commands"));
    writeFileSync(join(this.folder, "commands", "npm"), NPM);
    chmodSync(join(this.folder, "commands", "npm"), 0o755);
  }

  /** The blocks of shell in a page, in order. */
  blocks(page: string): string[] {
    return codeIn(readFileSync(join(this.folder, page), "utf8"), "sh");
  }

  /** Runs a block of a page, as somebody does who pastes it into a terminal. */
  run(
    block: string,
    {
      keyboard = false,
      variables = {},
    }: { keyboard?: boolean; variables?: NodeJS.ProcessEnv } = {},
  ): ExampleProcess {
    const path = [join(this.folder, "commands"), dirname(process.execPath), process.env["PATH"]];
    const { BECKON_DATA: _data, ...inherited } = process.env;
    const place = { HOME: this.home, TMPDIR: this.folder, PATH: path.join(delimiter) };
    const env = { ...inherited, ...place, ...variables };
    const started = new ExampleProcess(block, { cwd: this.folder, env, keyboard });
    this.#started.push(started);
    return started;
  }

  remove(): void {
    for (const one of this.#started) one.kill();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
