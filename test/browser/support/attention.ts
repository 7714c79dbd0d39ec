import type { BrowserContext, Page } from "playwright-core";

export interface Note {
  title: string;
  body: string;
  open: boolean;
}

/** Notifications and sounds that are only written down, and a page that can be hidden. */
export async function stubAttention(context: BrowserContext, permission: string): Promise<void> {
  await context.addInitScript((permission) => {
    const notes: StubNotification[] = [];
    let tones = 0;
    let hidden = false;
    class StubNotification extends EventTarget {
      static permission = permission;
      static requestPermission = async () => permission;
      readonly title: string;
      readonly body: string;
      readonly tag: string;
      open = true;
      constructor(title: string, { body = "", tag = "" }: { body?: string; tag?: string } = {}) {
        super();
        this.title = title;
        this.body = body;
        this.tag = tag;
        for (const note of notes) if (tag !== "" && note.tag === tag) note.close();
        notes.push(this);
      }
      close() {
        if (this.open) this.dispatchEvent(new Event("close"));
        this.open = false;
      }
      click() {
        this.dispatchEvent(new Event("click"));
      }
    }
    const Real = AudioContext;
    globalThis.AudioContext = class extends Real {
      override createOscillator() {
        tones++;
        return super.createOscillator();
      }
    };
    Object.defineProperty(Document.prototype, "hidden", { get: () => hidden });
    Object.defineProperty(Document.prototype, "visibilityState", {
      get: () => (hidden ? "hidden" : "visible"),
    });
    Object.assign(window, {
      Notification: StubNotification,
      __notes: notes,
      __tones: () => tones,
      __hide(now: boolean) {
        hidden = now;
        document.dispatchEvent(new Event("visibilitychange"));
      },
    });
  }, permission);
}

export async function hideOrShow(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((now) => (window as any).__hide(now), hidden);
}

export async function notes(page: Page): Promise<Note[]> {
  return page.evaluate(() =>
    (window as any).__notes.map(({ title, body, open }: Note) => ({ title, body, open })),
  );
}

export async function tones(page: Page): Promise<number> {
  return page.evaluate(() => (window as any).__tones());
}
