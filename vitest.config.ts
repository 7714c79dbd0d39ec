import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // By default one core is left alone, which on a machine with two is half of it.
    maxWorkers: "100%",
    projects: [
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "test/*.test.ts"],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: "scenarios",
          include: ["test/scenarios/**/*.test.ts", "test/security/*.test.ts"],
          testTimeout: 20_000,
        },
      },
      { test: { name: "races", include: ["test/races/**/*.test.ts"] } },
      {
        test: {
          name: "process",
          include: ["test/process/**/*.test.ts", "test/security/process/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
