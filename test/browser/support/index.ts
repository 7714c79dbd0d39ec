/*
 * How to write a test of the page:
 *
 *   const at = browserTests();
 *   test("a question appears by itself", async () => {
 *     const window = await at.signIn();                          // a window, signed in
 *     await at.place.ask({ type: "approval", prompt: "Paint it?" });
 *     await window.sees("Paint it?");                            // `window.page` is Playwright's
 *   });
 *
 * `at.place` is a real `beckon serve`, one for the file: a test makes its own sessions, and asks for
 * `browserTests({ fresh: true })` where it must find nothing else there. `place.session()`,
 * `place.say(id, '/call TOOL {json}')`, `place.ask(…)`, `place.restart("SIGKILL")`. Tools that ask need somebody
 * who is there: a page that can answer, or `await place.person()`.
 * `at.signIn({ person: "Ada" })` is another person, `at.signIn({ viewport: "phone", colorScheme:
 * "dark" })` another device; two windows share nothing but the server; `window.tab()` is a second
 * tab of the same one.
 * After each test every window must have stayed clean: no console error, no uncaught error, no
 * request to the outside, nothing against the CSP, no script that ran out of a text. A test that is
 * about one of these says so: `window.allow(/401/)`. Errors of lost connections are fine in a
 * window that was cut off, or whose server was restarted.
 * `await window.isAccessible()` is axe in light and dark, `window.announcements()` what a screen
 * reader heard, `window.keyboard` Tab and names of what has the focus. `answering.ts` answers
 * prompts, those of `prompts.ts` too; `payloads.ts` holds hostile texts, `hostile.ts` puts one into
 * every field that there is.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { openWindow } from "./browser.ts";
import { Place } from "./place.ts";
import type { Window, WindowOptions } from "./window.ts";

export interface BrowserTests {
  /** The server of this test. */
  readonly place: Place;
  /** A new window that has been nowhere yet. */
  window(options?: WindowOptions): Promise<Window>;
  /** A new window, signed in as the owner or as the person of this name, perhaps at an address. */
  signIn(options?: WindowOptions & { person?: string; path?: string }): Promise<Window>;
}

/**
 * One server for the tests of a file; in each test windows as it wants them.
 *
 * @param options with `fresh` one for each test; `prepare` gets its data directory before it does
 */
export function browserTests(
  options: { fresh?: boolean; prepare?: (data: string) => void } = {},
): BrowserTests {
  const { fresh = false, prepare } = options;
  let place: Place;
  let windows: Window[] = [];

  beforeAll(async () => {
    if (!fresh) place = await Place.start(prepare);
  });
  beforeEach(async () => {
    if (fresh) place = await Place.start(prepare);
  });
  afterEach(async () => {
    const problems = windows.map((window) => window.problems());
    for (const window of windows) await window.close();
    windows = [];
    if (fresh) await place.stop();
    expect(problems.flat()).toEqual([]);
  });
  afterAll(async () => {
    if (!fresh) await place.stop();
  });

  async function window(wanted: WindowOptions = {}): Promise<Window> {
    const made = await openWindow(place, wanted);
    windows.push(made);
    return made;
  }

  return {
    get place() {
      return place;
    },
    window,
    signIn: async ({ person, path, ...wanted } = {}) => {
      const made = await window(wanted);
      await made.signIn(person);
      if (path !== undefined) await made.open(path);
      return made;
    },
  };
}
