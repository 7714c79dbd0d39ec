import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// What is waited for comes when the machine has time for it; the default is one second.
configure({ asyncUtilTimeout: 60_000 });

/**
 * Takes down what a test has drawn, and lets React finish what it has planned for the next turn of
 * the loop: after a file's last test there is no window any more to do that in.
 */
afterEach(async () => {
  cleanup();
  await new Promise((resolve) => setImmediate(resolve));
});
