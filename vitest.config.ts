import { defineConfig } from "vitest/config";

/**
 * Files of one worker share the modules they import, which halves the time of the suite: without
 * it, most of that is spent on importing the same sources again for each file. So a module that
 * several files import keeps no state; what a file needs for itself it makes itself.
 */
const shared = { isolate: false };

/** What is waited for takes its time on a busy machine; the default is one second. */
const patient = { expect: { poll: { timeout: 15_000 } } };

/**
 * Programs of others (Chromium, shells, agents) get a second try, for a machine that was busy at the
 * wrong moment. `second-tries.ts` names who needed it, and fails the run when they are many.
 */
const outside = { ...patient, retry: 1 };

export default defineConfig({
  test: {
    reporters: ["default", "./test/support/second-tries.ts"],
    // By default one core is left alone, which on a machine with two is half of it.
    maxWorkers: "100%",
    projects: [
      {
        test: {
          ...shared,
          ...patient,
          name: "unit",
          include: ["src/**/*.test.ts", "test/*.test.ts", "test/docs/*.test.ts"],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...shared,
          ...patient,
          name: "scenarios",
          include: ["test/scenarios/**/*.test.ts"],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...shared,
          ...patient,
          name: "edges",
          include: ["test/{security,limits,faults}/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...shared,
          ...patient,
          name: "races",
          include: ["test/races/**/*.test.ts"],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...patient,
          name: "crash",
          include: ["test/crash/**/*.test.ts"],
          testTimeout: 300_000,
        },
      },
      {
        test: {
          ...patient,
          name: "components",
          include: ["{src,web,examples}/**/*.test.tsx"],
          environment: "jsdom",
          setupFiles: ["test/support/unmount.ts"],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...outside,
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          ...outside,
          name: "runtimes",
          include: ["test/runtimes/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...outside,
          name: "process",
          include: ["test/process/**/*.test.ts", "test/{security,faults}/process/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
