import type { Page } from "playwright-core";

/** From here on `streamText` can say what a server's frame would, without a road in between. */
export async function standIn(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const Real = WebSocket;
    globalThis.WebSocket = class extends Real {
      override addEventListener(type: string, listener: any) {
        if (type === "message")
          (globalThis as any).__deliver = (data: string) => listener({ data });
        super.addEventListener(type, listener);
      }
    };
  });
}

/** The pieces of a text as a model writes it: mostly some words, now and then an end. */
export function pieceOfText(count: number): string {
  return count % 12 === 11 ? "and an end.\n\n" : "some **words** with `code` in it, ";
}

/** Streams one piece into a session that the page shows; resolves when it is drawn. */
export async function streamText(
  page: Page,
  sessionId: string,
  { text, offset }: { text: string; offset: number },
): Promise<void> {
  const payload = { blockId: "streamed", offset, text };
  const where = { sessionId, timestamp: new Date().toISOString(), turnId: "streaming" };
  const event = { type: "text_delta", payload, ...where };
  await page.evaluate(
    (data) => {
      (globalThis as any).__deliver(data);
      return new Promise((resolve) => requestAnimationFrame(resolve));
    },
    JSON.stringify({ type: "chat_event", sessionId, event }),
  );
}
