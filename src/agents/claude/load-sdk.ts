import { readFile, stat } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type AgentNeed, AgentUnavailable } from "../../core/index.ts";
import { quoted } from "../cli/quoted.ts";
import type { ClaudeSdk } from "./sdk.ts";

export const SDK_PACKAGE = "@anthropic-ai/claude-agent-sdk";

export interface SdkPlace {
  /** What `import` takes, if it is not beside Beckon. */
  sdkPath?: string;
  /** A folder of ours where it may have been installed too. */
  sdkFolder?: string;
}

/** What Claude needs, and how to get it with whatever npm there is. */
export function sdkNeed({ sdkPath, sdkFolder }: SdkPlace): AgentNeed {
  // Beside Beckon it is an optional peer: there npm 11 installs nothing when it is asked for it.
  const where = sdkFolder === undefined ? "--save-optional " : `--prefix ${quoted(sdkFolder)} `;
  return {
    name: "the Claude Agent SDK",
    install: `npm install ${where}${SDK_PACKAGE}`,
    async isThere() {
      if (sdkPath !== undefined) return isFileOrPackage(sdkPath);
      return (await findBeside(SDK_PACKAGE)) || (await findIn(sdkFolder)) !== undefined;
    },
  };
}

/** Loads the SDK from where the settings say, from beside Beckon, or from our own folder. */
export async function loadClaudeSdk(place: SdkPlace = {}): Promise<ClaudeSdk> {
  const { sdkPath, sdkFolder } = place;
  const path = sdkPath ?? SDK_PACKAGE;
  try {
    const isElsewhere = sdkPath === undefined && !(await findBeside(SDK_PACKAGE));
    const found = isElsewhere ? await findIn(sdkFolder) : undefined;
    return (await import(found === undefined ? path : pathToFileURL(found).href)) as ClaudeSdk;
  } catch (cause) {
    throw new AgentUnavailable(
      `The agent "claude" needs the Claude Agent SDK, which could not be loaded from "${path}". ` +
        `Install it with: ${sdkNeed(place).install}`,
      { cause },
    );
  }
}

async function isFileOrPackage(path: string): Promise<boolean> {
  if (path.startsWith("file:")) return isThere(fileURLToPath(path));
  return isAbsolute(path) ? isThere(path) : findBeside(path);
}

/** Whether a package would be found from here, as `import` looks for it. */
async function findBeside(name: string): Promise<boolean> {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    if (await isThere(join(folder, "node_modules", name, "package.json"))) return true;
    const above = dirname(folder);
    if (above === folder) return false;
    folder = above;
  }
}

/** The file of the package that is imported, where `folder` has it. */
async function findIn(folder: string | undefined): Promise<string | undefined> {
  if (folder === undefined) return undefined;
  const home = join(folder, "node_modules", SDK_PACKAGE);
  try {
    const { main } = JSON.parse(await readFile(join(home, "package.json"), "utf8")) as {
      main?: string;
    };
    return join(home, main ?? "sdk.mjs");
  } catch {
    return undefined;
  }
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
