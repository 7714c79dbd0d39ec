import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: [
            "src/**/*.test.ts",
            "test/scenarios/**/*.test.ts",
            "test/races/**/*.test.ts",
            "test/*.test.ts",
          ],
        },
      },
      { test: { name: "process", include: ["test/process/**/*.test.ts"], testTimeout: 60_000 } },
    ],
  },
});
