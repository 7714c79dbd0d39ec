import { expect, test } from "vitest";
import { systemIds } from "../../src/system.ts";
import { createFakeClock } from "../../src/testing/index.ts";
import { createLocalBus } from "../../src/core/live/bus.ts";
import { type Store, StoreUnavailable } from "../../src/core/ports.ts";
import { createWriter } from "../../src/core/writer.ts";

const lost: Store["commit"] = () => Promise.reject(new StoreUnavailable("The line broke."));

test.each(["decided", "stored"] as const)(
  "who waits until a commit is %s hears that the store has failed, and no stray error is left",
  async (awaited) => {
    const strays: unknown[] = [];
    const note = (error: unknown) => void strays.push(error);
    process.on("unhandledRejection", note);
    const store = { commit: lost } as Store;
    const ports = { store, bus: createLocalBus(), clock: createFakeClock(), ids: systemIds };
    const change = { sessionId: "s", writes: [], events: [{ type: "text", payload: {} } as never] };
    const commit = createWriter(ports).commitAhead(change);
    await expect(commit[awaited]).rejects.toThrow("The line broke.");
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", note);
    expect(strays).toEqual([]);
  },
);
