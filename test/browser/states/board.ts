import type { Locator } from "playwright-core";
import { expect } from "vitest";
import { ANSWER, cardsOf, stateOf, textOf } from "../support/answering.ts";
import type { BrowserTests } from "../support/index.ts";
import { type Kind, KINDS, PROMPTS } from "../support/prompts.ts";
import type { Window } from "../support/window.ts";

export interface BoardOptions {
  /** @default 'ask' */
  tool?: "ask" | "fleeting" | "fragile";
  /** What each call does after the answer, and when nobody answers; see the plugin. */
  next?: (kind: Kind) => unknown;
  onTimeout?: unknown;
  /** What differs in every request. */
  request?: Record<string, unknown>;
  /** A prompt with a secret cannot outlive its call. */
  secrets?: boolean;
}

/** One window on one session in which a prompt of each kind is asked, all in one turn. */
export class Board {
  readonly window: Window;
  readonly sessionId: string;
  readonly #at: BrowserTests;
  /** How much was read out before the page was loaded as it is. */
  #heardBefore = 0;

  private constructor(at: BrowserTests, window: Window, sessionId: string) {
    this.#at = at;
    this.window = window;
    this.sessionId = sessionId;
  }

  static async open(at: BrowserTests, options: BoardOptions = {}): Promise<Board> {
    const { id } = await at.place.session({ title: "All kinds" });
    const board = new Board(at, await wideWindow(at, id), id);
    await at.place.say(id, `/parallel ${KINDS.map((kind) => callOf(kind, options)).join(" | ")}`);
    await expect.poll(() => board.count(), { message: "cards" }).toBe(KINDS.length);
    return board;
  }

  /** Another window on the same session. */
  async another(person?: string): Promise<Board> {
    return new Board(this.#at, await wideWindow(this.#at, this.sessionId, person), this.sessionId);
  }

  card(kind: Kind): Locator {
    return cardsOf(this.window.page).nth(KINDS.indexOf(kind));
  }

  count(): Promise<number> {
    return cardsOf(this.window.page).count();
  }

  /** Answers one after the other: a card that has ended is smaller, and moves those below it. */
  async answerAll(then: string | RegExp = /^completed$/): Promise<void> {
    for (const kind of KINDS) {
      await ANSWER[kind](this.card(kind));
      await expect.poll(() => stateOf(this.card(kind))).toMatch(then);
    }
  }

  /** Waits until every card can be answered, and it or the block around it says so. */
  async waits(): Promise<void> {
    await this.shows("pending", /./);
    for (const kind of KINDS) {
      const said = () => this.card(kind).evaluateAll(aroundCards);
      await expect.poll(said, { message: kind }).toContain("Waiting for your answer");
    }
  }

  /** Waits until every card is in this state and says this, with what it folds up. */
  async shows(state: string, says: RegExp | Record<Kind, RegExp>): Promise<void> {
    for (const kind of KINDS) {
      const card = this.card(kind);
      const look = async () => {
        await unfold(card);
        return `${kind} ${await stateOf(card)}: ${await textOf(card)}`;
      };
      await expect.poll(look).toMatch(new RegExp(`^${kind} ${state}: `));
      await expect.poll(look).toMatch(says instanceof RegExp ? says : says[kind]);
    }
    expect(await this.count()).toBe(KINDS.length);
  }

  /** What the cards and the blocks of their calls say, unfolded, and how they stand. */
  async look(): Promise<string[]> {
    await unfold(cardsOf(this.window.page));
    const parts = this.window.page.locator("[data-beckon-card], [data-status]");
    return parts.evaluateAll((all) =>
      all.map((one) => {
        const state = one.getAttribute("data-state") ?? one.getAttribute("data-status");
        return `${state}: ${(one as HTMLElement).innerText}`;
      }),
    );
  }

  async looksTheSameAfterReload(): Promise<void> {
    // A card knows of its answer a moment before the block around it does.
    const behind = this.window.page.locator(
      '[data-status="running"], [data-status="waiting"]:has([data-state^="completed"])',
    );
    await expect.poll(() => behind.count(), { message: "blocks that are behind" }).toBe(0);
    const before = await this.look();
    this.#heardBefore = this.window.announcements().length;
    await this.window.page.reload();
    await expect.poll(() => this.look()).toEqual(before);
  }

  /** Axe in light and dark. What is around the conversation is the same in every state. */
  async isAccessible(): Promise<void> {
    await this.window.isAccessible('[aria-label="Conversation"]');
  }

  /** What was read out since the page was loaded, in order. */
  #heard(): string[] {
    return this.window.announcements().slice(this.#heardBefore);
  }

  /** That each of these was read out just once since the page was loaded. */
  async saidOnce(sentences: readonly RegExp[]): Promise<void> {
    const heard = () => this.#heard();
    for (const sentence of sentences) {
      const count = () => heard().filter((one) => sentence.test(one)).length;
      const wanted = sentences.filter((one) => String(one) === String(sentence)).length;
      await expect
        .poll(count, { message: `${String(sentence)} in ${JSON.stringify(heard())}` })
        .toBe(wanted);
    }
  }

  /** That every prompt was announced, and no end of one yet. */
  async saidThatItOpened(): Promise<void> {
    await this.saidOnce(OPENED);
    expect(this.#heard().filter((one) => ENDED.test(one))).toEqual([]);
  }

  /** That every prompt was announced once, and that it ended, once. */
  async saidHowItEnded(how: RegExp | Record<Kind, RegExp>): Promise<void> {
    await this.saidOnce(OPENED);
    const ends = () => this.#heard().filter((one) => ENDED.test(one));
    await expect.poll(ends).toHaveLength(KINDS.length);
    for (const kind of KINDS) {
      const sentence = how instanceof RegExp ? how : how[kind];
      expect(ends().filter((one) => sentence.test(one)).length, String(sentence)).toBeGreaterThan(
        0,
      );
    }
  }
}

const OPENED = [
  /^Permission needed/,
  /^Permission needed/,
  /^Question/,
  /^Answer needed: Where should it go/,
  /^Answer needed: Sign in at the registry/,
];

/** An end is told after the title of its card. */
const ENDED = /^(Allow stage_\w+\?|\d questions|Deployment|Sign in at the registry to go on\.): /;

async function unfold(cards: Locator): Promise<void> {
  await cards.locator("details").evaluateAll((all) => {
    for (const folded of all) (folded as HTMLDetailsElement).open = true;
  });
}

/** What the block of the call says in which a card stands, or the card alone; runs in the page. */
function aroundCards(cards: Element[]): string {
  const blocks = cards.map((card) => card.closest("[data-status]") ?? card);
  return blocks.map((block) => (block as HTMLElement).innerText).join("\n");
}

/** So tall that all cards are in sight: axe judges colours only there. */
async function wideWindow(at: BrowserTests, sessionId: string, person?: string): Promise<Window> {
  const window = await at.signIn({
    path: `/#/s/${sessionId}`,
    reducedMotion: true,
    ...(person && { person }),
  });
  await window.page.setViewportSize({ width: 1280, height: 4_500 });
  await window.sees(window.page.getByRole("textbox", { name: "Message" }));
  return window;
}

function callOf(kind: Kind, { tool = "ask", next, onTimeout, ...options }: BoardOptions): string {
  const request = { ...requestOf(kind, options.secrets ?? true), ...options.request };
  return `stage_${tool} ${JSON.stringify({ request, next: next?.(kind), onTimeout })}`;
}

export function requestOf(kind: Kind, secrets: boolean): Record<string, unknown> {
  if (kind !== "form" || secrets) return PROMPTS[kind].request;
  const { inputSchema } = PROMPTS.form.request;
  const fields = inputSchema.fields.filter(({ type }) => type !== "secret");
  return { ...PROMPTS.form.request, inputSchema: { ...inputSchema, fields } };
}
