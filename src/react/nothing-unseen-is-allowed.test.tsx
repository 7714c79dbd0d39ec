import { setImmediate } from "node:timers/promises";
import { act, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { prompt } from "../../test/components/prompts.ts";
import { sent, show } from "../../test/components/show.tsx";

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  vi.stubGlobal("jest", { advanceTimersByTime: (ms: number) => vi.advanceTimersByTime(ms) });
  localStorage.clear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Keeps the part of the cards that comes after the page away, as a slow line does. */
function holdBack(): () => void {
  let arrive = () => {};
  const held = new Promise<void>((resolve) => (arrive = resolve));
  vi.doMock("./components-to-load.ts", async (load) => {
    await held;
    return load();
  });
  return arrive;
}

const CHORD = "{Control>}{Enter}{/Control}";
const allow = () => screen.getByRole<HTMLButtonElement>("button", { name: "Allow once" });

test.each([
  ["who asks for it and in which folder", { command: "make clean" }, undefined, "/srv/shop"],
  ["the change", { file_path: "a.ts", old_string: "one", new_string: "two" }, undefined, "+ two"],
  [
    "what was made of it",
    { command: "make clean" },
    { edited: "make all", part: "command" },
    "make all",
  ],
])("nothing is allowed before %s is on screen", async (_what, toolInput, draft, shown) => {
  const arrive = holdBack();
  if (draft) localStorage.setItem("beckon:draft:prompt-1", JSON.stringify(draft));
  const { InteractionCard, TransportProvider } = await import("./index.ts");
  const interaction = prompt({
    interactionType: "approval",
    toolInput,
    approvalScopes: ["once", "session"],
    editable: true,
    context: { cwd: "/srv/shop" },
  });
  const page = show(<InteractionCard sessionId="s1" interaction={interaction} />, {
    Provider: TransportProvider,
  });
  await page.pass(60_000);
  expect(page.card().textContent).toContain("Loading…");
  expect(allow().disabled).toBe(true);
  page.card().focus();
  await page.user.keyboard(CHORD);
  expect(sent(page.transport)).toEqual([]);

  arrive();
  while (page.card().textContent.includes("Loading…")) await act(() => setImmediate());
  const drawn = page.card().textContent + (page.card().querySelector("textarea")?.value ?? "");
  expect(drawn).toContain(shown);
  expect(allow().disabled).toBe(true);
  await page.pass(500);
  expect(allow().disabled).toBe(false);
});
