import type { CDPSession, Page } from "playwright-core";

/** What has the focus, as a screen reader names it. */
export interface Focused {
  role: string;
  name: string;
}

/** Works a page without a mouse. */
export class Keyboard {
  readonly #page: Page;
  #debugger: Promise<CDPSession> | undefined;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Presses keys one after the other, such as `"Tab"`, `"Control+Enter"`, `"1"`. */
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
  }

  async focused(): Promise<Focused> {
    this.#debugger ??= this.#page.context().newCDPSession(this.#page);
    const session = await this.#debugger;
    const { result } = await session.send("Runtime.evaluate", {
      expression: "document.activeElement ?? document.body",
    });
    const { nodes } = await session.send("Accessibility.getPartialAXTree", {
      objectId: result.objectId,
      fetchRelatives: false,
    });
    const { role, name } = nodes[0] ?? {};
    return { role: String(role?.value ?? ""), name: String(name?.value ?? "") };
  }

  /** Presses Tab until this has the focus; fails if it cannot be reached in so many steps. */
  async tabTo(name: string | RegExp, steps = 60): Promise<Focused> {
    return this.#pressUntil("Tab", name, steps);
  }

  /** The same with Shift, which leads to what stands before. */
  async tabBackTo(name: string | RegExp, steps = 60): Promise<Focused> {
    return this.#pressUntil("Shift+Tab", name, steps);
  }

  async #pressUntil(key: string, name: string | RegExp, steps: number): Promise<Focused> {
    const passed: string[] = [];
    for (let step = 0; step < steps; step++) {
      await this.press(key);
      const focused = await this.focused();
      if (typeof name === "string" ? focused.name === name : name.test(focused.name)) {
        return focused;
      }
      passed.push(`${focused.role} "${focused.name}"`);
    }
    throw new Error(`${key} does not reach ${String(name)}; it passed: ${passed.join(", ")}`);
  }
}
