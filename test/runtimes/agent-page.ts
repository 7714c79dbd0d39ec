import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { openWindow } from "../browser/support/browser.ts";
import { Place } from "../browser/support/place.ts";
import { shownParts } from "./shown-parts.ts";

interface AgentPage<Model> {
  /** A folder of the agent's own. */
  readonly home: string;
  readonly model: Model;
  readonly place: Place;
}

/** A server with one real agent and a scripted model, for the tests of a file. */
export function agentPage<Model extends { close(): Promise<void> }>(
  startModel: () => Promise<Model>,
  agents: (model: Model, home: string) => Record<string, unknown>,
): AgentPage<Model> {
  const at = {} as { -readonly [Part in keyof AgentPage<Model>]: AgentPage<Model>[Part] };
  beforeAll(async () => {
    at.home = mkdtempSync(join(tmpdir(), "beckon-agent-page-"));
    at.model = await startModel();
    const settings = JSON.stringify({ agents: agents(at.model, at.home) });
    at.place = await Place.start((data) => writeFileSync(join(data, "settings.json"), settings));
  });
  afterAll(async () => {
    await at.place.stop();
    await at.model.close();
    rmSync(at.home, { recursive: true, force: true, maxRetries: 5 });
  });
  return at;
}

/**
 * A person tells the agent to paint. Its second command asks which colour: the prompt stands at that
 * call, live and after a reload, and is answered there.
 */
export async function answersWhatACommandAsks(
  { place }: AgentPage<unknown>,
  session: Record<string, unknown>,
): Promise<void> {
  const { id } = await place.session(session);
  const window = await openWindow(place);
  await window.signIn();
  await window.open(`/#/s/${id}`);
  const { page } = window;
  const composer = page.getByRole("textbox").first();
  await composer.fill("Paint it, please.");
  await composer.press("Enter");
  const standing = ["ok", "waiting", expect.stringContaining("Which colour?")];
  await window.sees("Which colour?");
  await expect.poll(() => shownParts(page)).toEqual(standing);
  await page.reload();
  await window.sees("Now I ask.");
  await expect.poll(() => shownParts(page)).toEqual(standing);
  const card = page.locator("[data-beckon-card]");
  await card.getByRole("textbox").fill("Blue");
  await card.getByRole("button", { name: "Submit" }).click();
  await window.sees("it is.");
  await window.noViolations();
  expect(window.problems()).toEqual([]);
  await window.close();
}
