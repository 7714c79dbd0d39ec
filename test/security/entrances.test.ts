import { expect, test } from "vitest";
import { createApp } from "../../src/server/app.ts";
import { ClientFrame } from "../../src/protocol/index.ts";
import { FRAME_ENTRANCES, HTTP_ENTRANCES } from "./entrances.ts";

test("every route of the server is in the table of entrances, and nothing else", () => {
  const app = createApp({} as Parameters<typeof createApp>[0]);
  // What runs for all methods is a check that stands before routes, not a way in.
  const routes = app.routes
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => `${method} ${path}`);
  expect(HTTP_ENTRANCES.map(({ route }) => route).sort()).toEqual([...new Set(routes)].sort());
});

test("every frame that a client may send is in the table of entrances", () => {
  const types = ClientFrame.options.map(({ shape }) => shape.type.value);
  expect(FRAME_ENTRANCES.map(({ frame }) => frame.type).sort()).toEqual([...types].sort());
});
