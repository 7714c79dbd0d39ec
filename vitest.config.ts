import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { byDepth } from "./test/support/depth.ts";

/**
 * Files of one worker share the modules they import, which halves the time of the suite: without
 * it, most of that is spent on importing the same sources again for each file. So a module that
 * several files import keeps no state; what a file needs for itself it makes itself.
 */
const shared = { isolate: false };

interface Part {
  include: string[];
  exclude?: string[];
  isolate?: boolean;
  testTimeout?: number;
  environment?: "jsdom";
  setupFiles?: string[];
}

/**
 * What starts processes or waits for time to pass is not for `npm run check`. It stands here
 * because vitest's own `--exclude` does not reach the files of a project.
 */
const SLOW = byDepth({
  quick: [
    "src/{cli,testing}/**",
    "src/agents/cli/**",
    "src/plugins/builtin/bash/**",
    "src/transport/contract.test.ts",
    "src/store/sqlite/audit/head-keeper.test.ts",
    "src/store/sqlite/lock.test.ts",
    "src/core/schema/schema-work.test.ts",
  ],
  usual: [],
  deep: [],
});

/** Time limits are for what hangs: on a busy machine everything takes its time. */
const PARTS: Record<string, Part> = {
  unit: {
    ...shared,
    include: ["src/**/*.test.ts", "test/*.test.ts", "test/docs/*.test.ts"],
    exclude: ["src/store/postgres/**", ...SLOW],
  },
  postgres: { ...shared, include: ["{src/store,test/support}/postgres/**/*.test.ts"] },
  scenarios: { ...shared, include: ["test/scenarios/**/*.test.ts"] },
  edges: { ...shared, include: ["test/{security,limits,faults,budget}/*.test.ts"] },
  races: { ...shared, include: ["test/races/**/*.test.ts"], testTimeout: 600_000 },
  crash: { include: ["test/crash/**/*.test.ts"], testTimeout: 600_000 },
  cluster: { include: ["test/cluster/**/*.test.ts"], testTimeout: 600_000 },
  components: {
    include: ["{src,web,examples}/**/*.test.tsx"],
    environment: "jsdom",
    setupFiles: ["test/support/components.ts"],
  },
  browser: { ...shared, include: ["test/browser/**/*.test.ts"], testTimeout: 300_000 },
  runtimes: { ...shared, include: ["test/runtimes/**/*.test.ts"], testTimeout: 300_000 },
  process: {
    include: ["test/process/**/*.test.ts", "test/{security,faults}/process/*.test.ts"],
  },
};

/** Those of worlds that have modes with two servers each, and those of engines, on a PostgreSQL. */
const SCENARIOS_ON_POSTGRES: TestProjectInlineConfiguration = {
  test: {
    ...shared,
    name: "scenarios-postgres-deep",
    include: ["test/scenarios/**/*.test.ts"],
    env: { BECKON_MODES: "twoNodesPostgres" },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
  },
};

/** What takes longer than it is worth at every change; `npm run test:deep` has these parts too. */
const DEEP = "**/*.deep.test.{ts,tsx}";

function projectsOf([name, part]: [string, Part]): TestProjectInlineConfiguration[] {
  const given = { testTimeout: 120_000, ...part };
  const exclude = [...configDefaults.exclude, ...(part.exclude ?? [])];
  const all = {
    ...given,
    hookTimeout: given.testTimeout,
    // What is waited for comes when the machine has time for it; the default is one second.
    expect: { poll: { timeout: 60_000 } },
  };
  const deep = part.include.map((pattern) => pattern.replace(/\.test\.(?=tsx?$)/, ".deep.test."));
  return [
    { test: { ...all, name, exclude: [...exclude, DEEP] } },
    { test: { ...all, name: `${name}-deep`, include: deep, exclude } },
  ];
}

export default defineConfig({
  test: {
    // By default one core is left alone, which on a machine with two is half of it.
    maxWorkers: "100%",
    projects: [...Object.entries(PARTS).flatMap(projectsOf), SCENARIOS_ON_POSTGRES],
  },
});
