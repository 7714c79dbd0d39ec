import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DECIDING, DECIDING_FRAMES, FRAMES, GUARDED } from "./entrances.ts";
import { House } from "./house.ts";
import { bearer, inWords } from "./wire.ts";

let house: House;
let before: unknown;
beforeAll(async () => {
  house = await House.build();
  before = await house.state();
});
afterAll(() => house.close());

/** Two machines: one that may read what is decided here, and one that may not. */
const MACHINES = ["machine", "stranger"] as const;

describe.each(MACHINES)("with the token of a %s", (which) => {
  test.each(DECIDING)("%s gets 403 person_required over HTTP", async (_name, entrance) => {
    const reply = await house.enter(entrance, bearer(house[which]));
    expect(inWords(reply)).toBe("403 person_required");
    expect(await house.state()).toEqual(before);
  });

  test.each(DECIDING)("%s gets 403 person_required in process", async (_name, entrance) => {
    const reply = await house.enterInProcess(entrance, house[which]);
    expect(inWords(reply)).toBe("403 person_required");
    expect(await house.state()).toEqual(before);
  });

  test.each(DECIDING)("%s is refused before its body is read", async (_name, entrance) => {
    const reply = await house.enter(entrance, bearer(house[which]), '{"a":1,"a":2}');
    expect(inWords(reply)).toBe("403 person_required");
  });

  test.each(DECIDING_FRAMES)("%s gets person_required on the socket", async (_name, { frame }) => {
    const socket = await house.connect(house[which]);
    const reply = await socket.ask(house.withNames(frame));
    expect(reply).toMatchObject({
      type: "interaction_result",
      ok: false,
      code: "person_required",
    });
    expect(await house.state()).toEqual(before);
  });

  test.each(DECIDING_FRAMES)("%s gets person_required in process", async (_name, { frame }) => {
    const channel = house.beckon.connect(house[which]);
    const reply = new Promise((resolve) => {
      channel.onFrame = (text) => {
        const one = JSON.parse(text) as { type: string };
        if (one.type === "interaction_result") resolve(one);
      };
    });
    channel.send(JSON.stringify({ type: "hello", protocolVersion: 1 }));
    channel.send(JSON.stringify(house.withNames(frame)));
    expect(await reply).toMatchObject({ ok: false, code: "person_required" });
    channel.close();
    expect(await house.state()).toEqual(before);
  });

  test.each(["bypassPermissions", "acceptEdits", "auto"])(
    "a session that would ask less (%s) gets 403 person_required",
    async (permissionMode) => {
      const headers = { ...bearer(house[which]), "content-type": "application/json" };
      const body = JSON.stringify({ permissionMode });
      const reply = await house.send("POST /api/sessions", headers, body);
      expect(inWords(reply)).toBe("403 person_required");
    },
  );

  test("a session of an agent that asks nothing gets 403 person_required", async () => {
    const headers = { ...bearer(house[which]), "content-type": "application/json" };
    const body = JSON.stringify({ agent: "codex" });
    const reply = await house.send("POST /api/sessions", headers, body);
    expect(inWords(reply)).toBe("403 person_required");
  });

  test("one that its folder can allow to run things gets 403 person_required", async () => {
    const headers = { ...bearer(house[which]), "content-type": "application/json" };
    const body = JSON.stringify({ agent: "claude" });
    const reply = await house.send("POST /api/sessions", headers, body);
    expect(inWords(reply)).toBe("403 person_required");
  });

  test.each(["person", "role", "kind", "principalId", "x-role", "x-user"])(
    "a header %s that says it is the owner changes nothing",
    async (name) => {
      const headers = { ...bearer(house[which]), [name]: "owner", "x-forwarded-user": "owner" };
      for (const [, entrance] of DECIDING) {
        expect(inWords(await house.enter(entrance, headers))).toBe("403 person_required");
      }
    },
  );
});

test("a machine that belongs to no agent's session may start what its folder rules", async () => {
  const holder = { kind: "machine", name: "ci" } as const;
  const { token } = await house.beckon.credentials.createToken({ holder });
  const headers = { ...bearer(token), "content-type": "application/json" };
  const reply = await house.send("POST /api/sessions", headers, '{"agent":"claude"}');
  expect(reply.status).toBe(201);
});

describe("with a token bound to another session", () => {
  const OF_A_SESSION = GUARDED.filter(
    ([request, { headers, needs }]) =>
      needs === "credential" && `${request}${JSON.stringify(headers)}`.includes("$"),
  );
  test.each(OF_A_SESSION)("%s gets the 404 of what is not there", async (_name, entrance) => {
    const reply = await house.enter(entrance, bearer(house.stranger));
    const missing = {
      ...entrance,
      request: entrance.request.replaceAll(/\$\w+/g, "A".repeat(22)),
      headers: entrance.headers && { "x-session-id": "A".repeat(22) },
    };
    const nothing = await house.enter(missing, bearer(house.stranger));
    expect(reply.status).toBe(404);
    expect(reply.body).toEqual(nothing.body);
    expect(await house.state()).toEqual(before);
  });

  // To let go of what one does not have is no way in.
  const OF_ONE = FRAMES.filter(
    ([type, { frame, needs }]) =>
      needs === "credential" && "sessionId" in frame && type !== "unsubscribe",
  );
  test.each(OF_ONE)("%s gets session_not_found", async (_name, { frame }) => {
    const socket = await house.connect(house.stranger);
    expect(await socket.ask(house.withNames(frame))).toMatchObject({ code: "session_not_found" });
    expect(await house.state()).toEqual(before);
  });
});

test("a person is let in at every one of them, so that the cases above fail for what they say", async () => {
  const socket = await house.connect(house.owner);
  for (const [, { frame }] of DECIDING_FRAMES) {
    expect(await socket.ask(house.withNames(frame))).toMatchObject({ ok: true });
  }
  for (const [, entrance] of DECIDING) {
    expect(inWords(await house.enter(entrance, bearer(house.owner)))).not.toContain("403");
  }
});
