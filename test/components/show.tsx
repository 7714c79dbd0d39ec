import { act, cleanup, render } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { ReactElement } from "react";
import { afterEach, beforeAll, beforeEach, vi } from "vitest";
import { TransportProvider, type TransportProviderProps } from "../../src/react/index.ts";
import { preloadComponents } from "../../src/react/load-on-demand.tsx";
import { createFakeTransport, type FakeTransport } from "../../src/testing/fake-transport.ts";
import type { PromptRef, Reply } from "../../src/transport/index.ts";
import type { ResponseBody } from "../../src/protocol/index.ts";

/** Gives each test of a file its own clock, storage and page. */
export function freshPage(): void {
  beforeAll(preloadComponents);
  beforeEach(() => {
    vi.useFakeTimers();
    // Testing Library moves a faked clock only when it finds it under this name.
    vi.stubGlobal("jest", { advanceTimersByTime: (ms: number) => vi.advanceTimersByTime(ms) });
    localStorage.clear();
    // What jsdom lacks of <dialog>.
    Object.assign(HTMLDialogElement.prototype, {
      showModal(this: HTMLDialogElement) {
        this.open = true;
      },
      close(this: HTMLDialogElement) {
        this.open = false;
        this.dispatchEvent(new Event("close"));
      },
    });
  });
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
}

/** What a page may set of its provider. */
export type PageProps = Partial<Omit<TransportProviderProps, "transport">>;

/** Every answer that was given to a prompt by its id. */
export function sent(transport: FakeTransport): { to: PromptRef; body: ResponseBody }[] {
  return transport.argumentsOf("respond").map(([to, body]) => ({
    to: to as PromptRef,
    body: body as ResponseBody,
  }));
}

/** What the next answers get, however they are given; those after them are accepted. */
export function answerWith(
  transport: FakeTransport,
  ...replies: (Reply | (() => Promise<Reply>))[]
): void {
  for (const method of ["respond", "submitAnswers", "approveTool", "denyTool"] as const)
    transport.script(method, ...replies, { ok: true });
}

/** Draws something in a page with a transport, and waits until it is no longer fresh. */
export function show(
  element: ReactElement,
  options: PageProps & {
    transport?: FakeTransport;
    fresh?: boolean;
    /** That of the cards, where they were loaded anew. */
    Provider?: typeof TransportProvider;
  } = {},
) {
  const {
    transport = createFakeTransport(),
    fresh = false,
    Provider = TransportProvider,
    ...props
  } = options;
  const user = userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) });
  const page = (shown: ReactElement, more = {}) => (
    <Provider transport={transport} {...props} {...more}>
      {shown}
    </Provider>
  );
  const view = render(page(element));
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  if (!fresh) act(() => void vi.advanceTimersByTime(500));
  return {
    ...view,
    transport,
    user,
    /** Lets time go by. */
    pass,
    /** Presses something, and waits for what comes of it. */
    press: async (element: Element) => {
      await user.click(element);
      await pass(0);
    },
    /** The same page with something else in it. */
    now: (next: ReactElement, more: PageProps = {}) => view.rerender(page(next, more)),
    card: () => view.container.querySelector<HTMLElement>("[data-beckon-card]")!,
    state: () => view.container.querySelector<HTMLElement>("[data-beckon-card]")?.dataset.state,
    announced: () => view.container.querySelector("[data-beckon-live]")?.textContent ?? "",
  };
}
