import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";

/**
 * Takes down what a test has drawn, and lets React finish what it has planned for the next turn of
 * the loop: after a file's last test there is no window any more to do that in.
 */
afterEach(async () => {
  cleanup();
  await new Promise((resolve) => setImmediate(resolve));
});
