import { defineConfig } from "vitest/config";

/**
 * Files of one worker share the modules they import, which halves the time of the suite: without
 * it, most of that is spent on importing the same sources again for each file. So a module that
 * several files import keeps no state; what a file needs for itself it makes itself.
 */
const shared = { isolate: false };

export default defineConfig({
  test: {
    // By default one core is left alone, which on a machine with two is half of it.
    maxWorkers: "100%",
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          include: ["src/**/*.test.ts", "test/*.test.ts"],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          ...shared,
          name: "scenarios",
          include: ["test/scenarios/**/*.test.ts"],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          ...shared,
          name: "edges",
          include: ["test/{security,limits,faults}/*.test.ts"],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          ...shared,
          name: "races",
          include: ["test/races/**/*.test.ts"],
          testTimeout: 60_000,
        },
      },
      { test: { name: "crash", include: ["test/crash/**/*.test.ts"], testTimeout: 300_000 } },
      {
        test: {
          name: "components",
          include: ["{src,web,examples}/**/*.test.tsx"],
          environment: "jsdom",
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // A page on a busy machine takes its time; the default is one second.
          expect: { poll: { timeout: 15_000 } },
        },
      },
      {
        test: {
          name: "runtimes",
          include: ["test/runtimes/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "process",
          include: ["test/process/**/*.test.ts", "test/{security,faults}/process/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
