import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import packaged from "@sparticuz/chromium";

/** How to start the Chromium that came from the npm registry. */
export interface ChromiumLaunch {
  executablePath: string;
  args: string[];
  env: Record<string, string>;
}

const MAIN = createRequire(import.meta.url).resolve("@sparticuz/chromium");
const PACKAGE = MAIN.slice(0, MAIN.indexOf("/build/"));

/**
 * What the package asks for because it is made for cloud functions, and what tests must not have:
 * in a single process, closing one context takes the browser down; without web security, tests of
 * security show nothing; its lists of features would replace those of Playwright; and a graphics
 * card that is made up by the processor keeps pages waiting for seconds where nobody looks at them.
 */
const UNWANTED = [
  "--single-process",
  "--disable-web-security",
  "--allow-running-insecure-content",
  "--disable-site-isolation-trials",
  "--disable-features",
  "--enable-features",
  "--headless",
  "--ignore-gpu-blocklist",
  "--use-gl",
  "--use-angle",
  "--enable-unsafe-swiftshader",
];

/**
 * Unpacks the browser once a checkout (about 2 s) into `node_modules/.cache`, and says how to start
 * it. It brings its own shared libraries and fonts, so that it runs where nothing is installed and
 * looks the same everywhere.
 */
export async function chromiumLaunch(): Promise<ChromiumLaunch> {
  const folder = await unpacked();
  return {
    executablePath: join(folder, "chromium"),
    args: [
      ...packaged.args.filter((arg) => !UNWANTED.some((unwanted) => arg.startsWith(unwanted))),
      "--disable-gpu",
    ],
    env: {
      ...(process.env as Record<string, string>),
      LD_LIBRARY_PATH: join(folder, "al2023", "lib"),
      FONTCONFIG_FILE: join(folder, "fonts.conf"),
    },
  };
}

async function unpacked(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(PACKAGE, "package.json"), "utf8")) as {
    version: string;
  };
  const cache = join(dirname(dirname(PACKAGE)), ".cache");
  const folder = join(cache, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const staging = await mkdtemp(join(cache, "unpacking-"));
  await unpackInto(staging);
  await writeFile(join(staging, "fonts.conf"), fontConfiguration(folder));
  // Whoever else unpacks at this moment sees the whole of it or nothing.
  await rename(staging, folder).catch(() => rm(staging, { recursive: true, force: true }));
  return folder;
}

/** In a process of its own: the package unpacks into what is the folder for temporary files there. */
async function unpackInto(folder: string): Promise<void> {
  const script = `import c from ${JSON.stringify(MAIN)}; await (c.default ?? c).executablePath();`;
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], {
    // The package unpacks its shared libraries only where it takes the machine for one without.
    env: { ...process.env, TMPDIR: folder, VERCEL: "1" },
  });
}

function fontConfiguration(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, "fonts")}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(folder, "fonts-cache")}</cachedir>
  <alias binding="strong"><family>system-ui</family><prefer><family>Open Sans</family></prefer></alias>
  <alias binding="strong"><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
</fontconfig>
`;
}
