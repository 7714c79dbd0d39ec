import { expect, test } from "vitest";
import { endHostileSession, openHostileSession } from "./support/hostile.ts";
import { browserTests } from "./support/index.ts";
import { goTo, type OnScreen, readPage, timesSeen } from "./support/on-screen.ts";
import { packs } from "./support/payloads.ts";
import type { Window } from "./support/window.ts";

const at = browserTests();

/** Longer than the shortest fields, so that it is seen in those where all payloads fit. */
const HARMLESS = `A harmless text that is longer than the header of a question and an id: ${"o".repeat(64)}`;
/** Of one text; and how many texts share a session, which has 20 open prompts at most. */
const KINDS = 5;
const TOGETHER = 3;
/** Seconds on a machine that is idle; this many on one that is not. */
const BUSY = 400_000;
const CARD = "[data-beckon-card]";

/** The payloads as texts, a few for each session; the last session shows what a harmless one would. */
const GROUPS = inGroups([...packs(), [{ text: HARMLESS }]]);

function inGroups(texts: { text: string }[][]): { text: string }[][][] {
  return texts.length === 0 ? [] : [texts.slice(0, TOGETHER), ...inGroups(texts.slice(TOGETHER))];
}

const asText = (pack: { text: string }[]) => pack.map(({ text }) => text).join("\n");

async function read(window: Window, hash: string, what: string, count = 1): Promise<OnScreen> {
  await goTo(window, hash);
  const last = window.page.locator(`main ${what}`).nth(count - 1);
  await last.waitFor({ state: "attached", timeout: 200_000 });
  return readPage(window);
}

/** In the sentence of a prompt that has ended this is filled in, and so not seen as it was. */
const FILLED = /\{\{(action|input)\b/;

/** Which texts were seen less often than the harmless one. */
function missing(seen: OnScreen, often: number): [string, number][] {
  return GROUPS.flat(2)
    .filter(({ text }) => !FILLED.test(text))
    .map(({ text }): [string, number] => [text.slice(0, 80), timesSeen(seen.texts, text)])
    .filter(([, times]) => times < often);
}

test(
  "every payload stays text in open prompts of every kind, in the chat and in the inbox",
  async () => {
    const ids = await Promise.all(
      GROUPS.map((group) => openHostileSession(at.place, ...group.map(asText))),
    );
    const window = await at.signIn();
    const chat: OnScreen = { texts: [], markup: [] };
    for (const [which, id] of ids.entries()) {
      const one = await read(window, `#/s/${id}`, CARD, (GROUPS[which]?.length ?? 0) * KINDS);
      chat.texts.push(...one.texts);
      chat.markup.push(...one.markup);
    }
    expect(chat.markup).toEqual([]);
    const often = timesSeen(chat.texts, HARMLESS);
    expect(often).toBeGreaterThan(90);
    expect(missing(chat, often)).toEqual([]);

    const inbox = await read(window, "#/inbox", CARD, GROUPS.flat().length * KINDS);
    expect(inbox.markup).toEqual([]);
    const inInbox = timesSeen(inbox.texts, HARMLESS);
    expect(inInbox).toBeGreaterThan(90);
    expect(missing(inbox, inInbox)).toEqual([]);
  },
  BUSY,
);

test(
  "every payload stays text in what has been said and done",
  async () => {
    const ids = await Promise.all(
      GROUPS.map((group) => endHostileSession(at.place, ...group.map(asText))),
    );
    const window = await at.signIn();
    const chat: OnScreen = { texts: [], markup: [] };
    for (const id of ids) {
      const one = await read(window, `#/s/${id}`, "[data-index]");
      chat.texts.push(...one.texts);
      chat.markup.push(...one.markup);
    }
    expect(chat.markup).toEqual([]);
    const often = timesSeen(chat.texts, HARMLESS);
    expect(often).toBeGreaterThan(20);
    expect(missing(chat, often)).toEqual([]);
  },
  BUSY,
);
