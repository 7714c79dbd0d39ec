import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      { test: { name: "unit", include: ["src/**/*.test.ts", "test/*.test.ts"] } },
      {
        test: { name: "scenarios", include: ["test/scenarios/**/*.test.ts"], testTimeout: 20_000 },
      },
      { test: { name: "races", include: ["test/races/**/*.test.ts"] } },
      { test: { name: "process", include: ["test/process/**/*.test.ts"], testTimeout: 60_000 } },
    ],
  },
});
