import { expect, test } from "vitest";
import { LIMITS } from "../../src/protocol/index.ts";
import { visibleText } from "../../src/client/index.ts";
import { browserTests } from "./support/index.ts";
import { goTo } from "./support/on-screen.ts";
import { packs, PAYLOADS } from "./support/payloads.ts";

const at = browserTests({ fresh: true });

const ALL = PAYLOADS.map(({ text }) => text).join("\n");
const titleOf = (text: string) => Array.from(text).slice(0, LIMITS.titleCharacters).join("");
const TITLES = PAYLOADS.map(({ text }) => titleOf(text).trim());

test("every payload stays text as a title: in the list, the search, the head, and before it is deleted", async () => {
  await Promise.all(TITLES.map((title) => at.place.session({ title })));
  const window = await at.signIn();
  const rows = window.page.getByRole("navigation", { name: "Sessions" }).getByRole("listitem");
  await expect.poll(() => rows.count()).toBe(TITLES.length);
  const listed = (await rows.allTextContents()).join(" ");
  for (const title of TITLES) expect(listed).toContain(visibleText(title));
  expect(await window.hostileMarkup()).toEqual([]);

  const search = window.page.getByRole("searchbox", { name: "Search sessions" });
  for (const pack of packs()) {
    await search.fill(pack.map(({ text }) => text).join(" "));
    expect(await window.hostileMarkup()).toEqual([]);
  }
  const hostile = titleOf("<img src=x onerror=__xss('title')> \u202Efdp");
  const { id } = await at.place.session({ title: hostile, cwd: hostile, model: hostile });
  await search.fill("onerror=__xss('title')");
  await expect.poll(() => rows.count()).toBe(1);
  await goTo(window, `#/s/${id}`);
  await window.sees(window.page.getByRole("heading", { level: 1, name: visibleText(hostile) }));
  await rows.first().hover();
  await window.page.getByRole("button", { name: `Delete ${visibleText(hostile)}` }).click();
  await window.sees(`Delete “${visibleText(hostile)}”?`);
  await window.page.getByRole("button", { name: "Keep it" }).click();
  await window.page.getByRole("button", { name: `Rename ${visibleText(hostile)}` }).click();
  expect(await window.page.getByLabel("New title").inputValue()).toBe(hostile);
  expect(await window.hostileMarkup()).toEqual([]);
});

test("every payload stays text in an address, in a sign-in code, and as the name of a person", async () => {
  const stranger = await at.window();
  stranger.allow(/40[01]|Failed to load resource/);
  await stranger.open(`/#code=${encodeURIComponent(ALL.slice(0, 4_000))}`);
  await stranger.sees("Sign in to Beckon");
  expect(await stranger.hostileMarkup()).toEqual([]);

  const name = ALL.slice(0, 6_000);
  const window = await at.signIn({ person: name });
  await window.sees(window.page.locator("summary", { hasText: visibleText(name).slice(0, 200) }));
  window.allow(/40[04]|Failed to load resource/);
  for (const pack of packs()) {
    const hostile = encodeURIComponent(pack.map(({ text }) => text).join("\n"));
    await goTo(window, `#/s/${hostile}/i/${hostile}`);
    expect(await window.hostileMarkup()).toEqual([]);
  }
  await window.sees("Not here");
  await goTo(window, "#/<img src=x onerror=__xss('hash')>");
  await window.sees("Agents ask, you answer");
});

const WORDS = "[x](javascript:__xss('link')) <a href=javascript:__xss('link')>y</a> ";

test("every payload stays text while an agent writes it", async () => {
  const { id } = await at.place.session();
  await at.place.say(id, "Hello");
  const window = await at.window();
  let send: (frame: unknown) => void = () => {};
  await window.page.routeWebSocket(/\/ws/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((text) => socket.send(text));
    socket.onMessage((text) => server.send(text));
    send = (frame) => socket.send(JSON.stringify(frame));
  });
  await window.signIn();
  await goTo(window, `#/s/${id}`);
  await window.sees("You wrote:");
  // A few turns, so that all that is being written stands on the screen.
  for (const [turn, pack] of packs().entries()) {
    for (let from = 0; from < 40; from += 10) {
      for (const [which, { text }] of pack.entries()) {
        const offset = from === 30 ? 30 : from;
        const piece = from === 30 ? text.slice(30) : text.slice(from, from + 10);
        const payload = { blockId: `b${turn}-${which}`, offset, text: piece };
        const event = { type: "text_delta", sessionId: id, turnId: `t${turn}`, payload };
        send({
          type: "chat_event",
          sessionId: id,
          event: { ...event, timestamp: new Date().toISOString() },
        });
      }
      await goTo(window, `#/s/${id}`);
      expect(await window.hostileMarkup()).toEqual([]);
    }
  }
  const end = { blockId: "end", offset: 0, text: `${WORDS}The end` };
  const event = { type: "text_delta", sessionId: id, turnId: "last", payload: end };
  send({
    type: "chat_event",
    sessionId: id,
    event: { ...event, timestamp: new Date().toISOString() },
  });
  await window.sees(/The end/);
  expect(await window.hostileMarkup()).toEqual([]);
});
