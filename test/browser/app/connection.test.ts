import { expect, test } from "vitest";
import { withData } from "../../../src/cli/data.ts";
import { browserTests } from "../support/index.ts";

const at = browserTests();

test("a lost line is shown with when it is tried again, can be tried at once, and is told when back", async () => {
  const { id } = await at.place.session({ title: "Line" });
  const window = await at.signIn({ path: `/#/s/${id}` });
  const { page } = window;
  await page.getByText("A new conversation").waitFor();
  await at.place.goAway();
  await page.getByText("The connection is lost.", { exact: true }).waitFor();
  await page.getByText(/Trying again (in \d+ s|now)|Trying…/).waitFor();
  await page.getByText(/· (Offline|Connecting…)/).waitFor();
  await window.noViolations();
  await page.getByRole("textbox", { name: "Message" }).fill("kept while away");
  // Whether it helps depends on the server; a try that fails changes nothing.
  const tried = page.waitForEvent("websocket");
  await page.getByRole("button", { name: "Try now" }).click();
  await tried;
  await at.place.comeBack();
  await page.getByText("Connected again", { exact: true }).waitFor();
  await page.getByText("The connection is lost.", { exact: true }).waitFor({ state: "hidden" });
  expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("kept while away");
  const said = window.announcements().filter((one) => /lost|Connected again/.test(one));
  // Once each: the seconds are not read out.
  expect(said).toEqual([
    "The connection is lost. It is tried again by itself.",
    "Connected again.",
  ]);
});

test("a cut in the middle of what an agent writes leaves no gap and no repeat", async () => {
  const { id } = await at.place.session({ title: "Streaming" });
  const window = await at.signIn({ path: `/#/s/${id}` });
  const { page } = window;
  const say = (from: number) => async () => {
    for (let line = from; line < from + 8; line++) await at.place.say(id, `line-${line}`);
  };
  await say(1)();
  await page.getByText("line-3").first().waitFor();
  await window.goOffline();
  await say(9)();
  await window.goOnline();
  await say(17)();
  await page.getByRole("article", { name: "You" }).getByText("line-24").waitFor();
  const seen = new Set<string>();
  const region = page.getByRole("region", { name: "Conversation" });
  // The list holds only what is near; each line is looked for where it is.
  for (let step = 0; step < 40 && seen.size < 24; step++) {
    const shown = await page.getByRole("article", { name: "You" }).allInnerTexts();
    const lines = shown.map((text) => text.trim());
    expect(new Set(lines).size, lines.join(", ")).toBe(lines.length);
    for (const line of lines) seen.add(line);
    await region.evaluate((one) => one.scrollBy(0, -500));
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
  expect([...seen].map((line) => Number(line.slice(5))).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 24 }, (_none, index) => index + 1),
  );
});

test("a sign-in that ends leads to the door with a sentence, and back to the same place", async () => {
  const { id } = await at.place.session({ title: "The same place" });
  const window = await at.signIn({ path: `/#/s/${id}` });
  window.allow(/401/);
  const { page } = window;
  const draft = page.getByRole("textbox", { name: "Message" });
  await draft.fill("half a thought");
  const revokeAll = () =>
    withData({ directory: at.place.data }, async ({ credentials }) => {
      for (const token of await credentials.listTokens()) {
        if (token.kind === "browser") await credentials.revokeToken(token.id);
      }
    });
  await revokeAll();
  await page.getByText("Your sign-in has ended. Sign in again").waitFor();
  await page.getByLabel(/paste the address/).fill(at.place.server.token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "The same place" }).waitFor();
  expect(await draft.inputValue()).toBe("half a thought");

  // A second tab is let in along with the first one, and comes back to where it was.
  const other = await window.tab("/#/inbox");
  await other.getByText("Nothing waits for you").waitFor();
  await revokeAll();
  await page.getByText("Your sign-in has ended").waitFor();
  await other.getByText("Your sign-in has ended").waitFor();
  // Into the address bar: only what follows the # changes.
  const code = await at.place.signInCode();
  await page.evaluate((next) => (location.hash = `code=${next}`), code);
  await page.getByRole("heading", { name: "The same place" }).waitFor();
  expect(page.url()).toContain(`#/s/${id}`);
  await other.getByText("Nothing waits for you").waitFor();
});
