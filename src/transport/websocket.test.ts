import { afterEach, expect, test, vi } from "vitest";
import { createWebSocketTransport } from "./websocket.ts";

afterEach(() => vi.unstubAllGlobals());

/** A socket that a test opens and closes. */
class FakeSocket extends EventTarget {
  static readonly made: FakeSocket[] = [];
  readonly sent: string[] = [];
  readonly given: unknown[];
  isOpen = false;

  constructor(...given: unknown[]) {
    super();
    this.given = given;
    FakeSocket.made.push(this);
  }

  send(text: string): void {
    if (!this.isOpen) throw new Error("InvalidStateError");
    this.sent.push(text);
  }

  open(): void {
    this.isOpen = true;
    this.dispatchEvent(new Event("open"));
  }

  close(): void {
    this.dispatchEvent(Object.assign(new Event("close"), { code: 1006, reason: "" }));
  }
}

const last = () => FakeSocket.made.at(-1) as FakeSocket;

test("in a page it goes to where the page came from, with nothing but the cookie", () => {
  vi.stubGlobal("location", { origin: "https://beckon.example" });
  vi.stubGlobal("WebSocket", FakeSocket);
  const transport = createWebSocketTransport();
  expect(last().given).toEqual(["wss://beckon.example/ws"]);
  transport.close();
});

test("a program gives its token in a header", () => {
  const transport = createWebSocketTransport({
    url: "http://127.0.0.1:4780/",
    token: "secret",
    WebSocket: FakeSocket,
  });
  const headers = { authorization: "Bearer secret" };
  expect(last().given).toEqual(["ws://127.0.0.1:4780/ws", { headers }]);
  transport.close();
});

test("what is said before the socket is open waits for that", () => {
  const transport = createWebSocketTransport({ url: "http://server", WebSocket: FakeSocket });
  transport.subscribe("s1", {}, { started() {}, event() {}, failed() {} });
  expect(last().sent).toEqual([]);
  last().open();
  expect(last().sent.map((text) => (JSON.parse(text) as { type: string }).type)).toEqual([
    "hello",
    "subscribe",
  ]);
  transport.close();
});

test("it tries again at once when the network is back or the page is looked at again", () => {
  const page = new EventTarget();
  const network = new EventTarget();
  const document = Object.assign(page, { visibilityState: "hidden" });
  vi.stubGlobal("document", document);
  vi.stubGlobal("addEventListener", network.addEventListener.bind(network));
  vi.stubGlobal("removeEventListener", network.removeEventListener.bind(network));
  const fetch = async () => Response.json({});
  const transport = createWebSocketTransport({ url: "http://x", WebSocket: FakeSocket, fetch });
  const before = FakeSocket.made.length;
  const tries = () => FakeSocket.made.length - before;
  last().close();
  network.dispatchEvent(new Event("online"));
  expect(tries()).toBe(1);
  last().close();
  page.dispatchEvent(new Event("visibilitychange"));
  expect(tries()).toBe(1);
  document.visibilityState = "visible";
  page.dispatchEvent(new Event("visibilitychange"));
  expect(tries()).toBe(2);
  transport.close();
  network.dispatchEvent(new Event("online"));
  page.dispatchEvent(new Event("visibilitychange"));
  expect(tries()).toBe(2);
});
