import { expect, test } from "vitest";
import { listenToLog, startScripted } from "../../test/support/scripted-server.ts";

function follow(cursor: { after?: number; tail?: number } = {}) {
  const scripted = startScripted();
  const log = listenToLog();
  const stop = scripted.client.subscribe("s1", cursor, log.listener);
  scripted.line().welcome();
  return { ...scripted, ...log, stop };
}

test("a log is resumed from the last event, and what comes twice is dropped", async () => {
  const { clock, line, heard } = follow();
  expect(line().last("subscribe")).toMatchObject({ sessionId: "s1", afterSeq: 0 });
  line().subscribed(2);
  line().events(1, 2, 3);
  line().end();
  await clock.advance(250);
  expect(line().last("subscribe")).toMatchObject({ sessionId: "s1", afterSeq: 3 });
  line().subscribed(4);
  line().events(2, 3, 4, 4, 5);
  expect(heard).toEqual(["started log1 from 0", 1, 2, 3, 4, 5]);
});

test("a hole is never passed on: the log is asked for again", async () => {
  const { clock, line, heard } = follow();
  line().subscribed(2);
  line().events(1, 3, 4);
  expect(line().of("subscribe")).toHaveLength(2);
  expect(line().last("subscribe")).toMatchObject({ afterSeq: 1 });
  line().subscribed(4);
  line().events(3);
  expect(line().of("subscribe"), "a second hole is asked for later").toHaveLength(2);
  await clock.advance(30_000);
  expect(line().of("subscribe")).toHaveLength(3);
  line().subscribed(4);
  line().events(2, 3, 4);
  expect(heard).toEqual(["started log1 from 0", 1, 2, 3, 4]);
});

test("another log under the same session is begun anew", async () => {
  const { clock, line, heard } = follow({ after: 1 });
  line().subscribed(3);
  line().events(2, 3);
  line().end();
  await clock.advance(250);
  line().subscribed(5, "log2");
  expect(line().last("subscribe")).toMatchObject({ afterSeq: 0 });
  line().subscribed(1, "log2");
  line().events(1);
  expect(heard).toEqual(["started log1 from 1", 2, 3, "started log2 from 0", 1]);
});

test("a log that was cut back is begun anew, near its end for who began there", async () => {
  const { clock, line, heard } = follow({ tail: 2 });
  expect(line().last("subscribe")).toMatchObject({ tail: 2 });
  line().subscribed(9);
  line().events(8, 9);
  line().end();
  await clock.advance(250);
  const { ref } = line().last("subscribe");
  line().say({ type: "error", ref, sessionId: "s1", code: "resync", error: "Ahead." });
  expect(line().last("subscribe")).toMatchObject({ tail: 2 });
  line().subscribed(5);
  line().events(4, 5);
  expect(heard).toEqual(["started log1 from 7", 8, 9, "started log1 from 3", 4, 5]);
});

test("a refusal that may pass is tried again, one that will not is told", async () => {
  const { clock, line, heard } = follow();
  const first = line().last("subscribe");
  line().say({ type: "error", ref: first["ref"], code: "store_unavailable", error: "Later." });
  expect(line().of("subscribe")).toHaveLength(1);
  await clock.advance(250);
  expect(line().of("subscribe")).toHaveLength(2);
  line().subscribed(0);
  line().say({ type: "error", sessionId: "s1", code: "internal", error: "It broke off." });
  await clock.advance(30_000);
  expect(line().of("subscribe")).toHaveLength(3);
  const { ref } = line().last("subscribe");
  line().say({ type: "error", ref, code: "session_not_found", error: "No such session." });
  await clock.advance(20_000);
  expect(line().of("subscribe")).toHaveLength(3);
  expect(heard).toEqual(["started log1 from 0", "failed session_not_found"]);
});

test("who joins hears nothing before its own start, and everybody hears the rest once", () => {
  const { client, line, heard } = follow();
  line().subscribed(2);
  line().events(1, 2);
  const second = listenToLog();
  client.subscribe("s1", { tail: 1 }, second.listener);
  expect(line().last("subscribe")).toMatchObject({ afterSeq: 2 });
  line().events(3);
  line().subscribed(3);
  line().events(3, 4);
  expect(heard).toEqual(["started log1 from 0", 1, 2, 3, 4]);
  expect(second.heard).toEqual(["started log1 from 2", 3, 4]);
});

test("who joins further back than the first makes the log be sent from there", () => {
  const { client, line, heard } = follow({ after: 5 });
  line().subscribed(6);
  line().events(6);
  const second = listenToLog();
  client.subscribe("s1", { tail: 4 }, second.listener);
  line().subscribed(6);
  expect(line().last("subscribe")).toMatchObject({ afterSeq: 2 });
  line().subscribed(6);
  line().events(3, 4, 5, 6, 7);
  expect(heard).toEqual(["started log1 from 5", 6, 7]);
  expect(second.heard).toEqual(["started log1 from 2", 3, 4, 5, 6, 7]);
});

test("the last to let go ends the subscription, also on a line that was lost", async () => {
  const { client, clock, line, stop } = follow();
  const stopSecond = client.subscribe("s1", {}, listenToLog().listener);
  stop();
  expect(line().of("unsubscribe")).toHaveLength(0);
  line().end();
  stopSecond();
  await clock.advance(250);
  expect(line().of("subscribe")).toHaveLength(0);
});

test("passing events reach who has started", () => {
  const { line, heard } = follow();
  const delta = { type: "text_delta", payload: { blockId: "b", offset: 0, text: "a" } };
  line().say({ type: "chat_event", sessionId: "s1", event: delta });
  line().subscribed(0);
  line().say({ type: "chat_event", sessionId: "s1", event: delta });
  expect(heard).toEqual(["started log1 from 0", "text_delta"]);
});

test("the inbox and the sessions are looked at again on every new line", async () => {
  const { client, clock, line } = startScripted();
  const heard: string[] = [];
  client.watchInbox({
    list: (interactions) => heard.push(`list ${interactions.length}`),
    updated: ({ id }) => heard.push(`updated ${id}`),
  });
  client.watchSessions({
    updated: ({ id }) => heard.push(`session ${id}`),
    deleted: (id) => heard.push(`deleted ${id}`),
    stale: () => heard.push("stale"),
  });
  line().welcome();
  line().say({ type: "interaction_updated", interaction: { id: "early" } });
  line().say({ type: "inbox", interactions: [{ id: "i1" }] });
  line().say({ type: "interaction_updated", interaction: { id: "i2" } });
  line().end();
  await clock.advance(250);
  line().welcome();
  const { ref } = line().last("subscribe");
  line().say({ type: "error", ref, code: "store_unavailable", error: "Later." });
  await clock.advance(250);
  expect(line().of("subscribe")).toHaveLength(2);
  line().say({ type: "inbox", interactions: [] });
  line().say({ type: "session_updated", session: { id: "s1" } });
  line().say({ type: "session_deleted", sessionId: "s1" });
  expect(heard).toEqual([
    "stale",
    "list 1",
    "updated i2",
    "stale",
    "list 0",
    "session s1",
    "deleted s1",
  ]);
});

test("a long inbox is read on page by page, and what has changed meanwhile counts", async () => {
  const asked: string[] = [];
  const pages: ((page: object) => void)[] = [];
  const fetch = async (request: Request) => {
    asked.push(new URL(request.url).search);
    return new Promise<Response>((resolve) => {
      pages.push((page) => resolve(Response.json(page)));
    });
  };
  const { client, clock, line } = startScripted({ fetch });
  const heard: string[] = [];
  client.watchInbox({
    list: (interactions) => heard.push(`list ${interactions.length}`),
    updated: ({ id, status }) => heard.push(`${id} ${status}`),
  });
  line().welcome();
  line().say({ type: "inbox", interactions: [{ id: "i1" }], next: "two" });
  await clock.settle();
  line().say({ type: "interaction_updated", interaction: { id: "i3", status: "answered" } });
  const waits = (id: string) => ({ id, status: "pending" });
  pages.shift()?.({ interactions: [waits("i2"), waits("i3")], next: "three" });
  await clock.settle();
  pages.shift()?.({ interactions: [waits("i4")] });
  await clock.settle();
  expect(asked).toEqual(["?status=pending&cursor=two", "?status=pending&cursor=three"]);
  expect(heard).toEqual(["list 1", "i3 answered", "i2 pending", "i4 pending"]);

  // The line breaks while a page is on its way: the page belongs to a list that is no more.
  line().say({ type: "inbox", interactions: [], next: "two" });
  await clock.settle();
  line().end();
  await clock.advance(250);
  line().welcome();
  line().say({ type: "inbox", interactions: [] });
  pages.shift()?.({ interactions: [waits("i5")] });
  await clock.settle();
  expect(heard.slice(4)).toEqual(["list 0", "list 0"]);
});

test("an inbox whose next page cannot be read is asked for again", async () => {
  const { client, clock, line } = startScripted();
  client.watchInbox({ list: () => {}, updated: () => {} });
  line().welcome();
  line().say({ type: "inbox", interactions: [], next: "two" });
  await clock.settle();
  expect(line().of("subscribe")).toHaveLength(1);
  await clock.advance(250);
  expect(line().of("subscribe")).toHaveLength(2);
});
