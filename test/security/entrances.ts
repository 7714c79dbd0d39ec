/** Who may come in by an entrance. */
export type Needs = "nothing" | "credential" | "person";

/** One way in. `$name` stands for something of the house that is attacked: see house.ts. */
export interface HttpEntrance {
  /** As the app knows it. */
  route: string;
  /** A good request, as `METHOD /path`. */
  request: string;
  body?: Record<string, unknown>;
  headers?: Record<string, string>;
  needs: Needs;
}

/**
 * Every route of the server, and what it takes. The suites of this folder are made from this table,
 * so an entrance that is added here is attacked in every way, and one that is not fails a test.
 */
export const HTTP_ENTRANCES: HttpEntrance[] = [
  open("GET /*", "GET /"),
  open("GET /api/health", "GET /api/health"),
  open("POST /api/auth/exchange", "POST /api/auth/exchange", { code: "nobody's" }),
  signedIn("GET /api/auth/me", "GET /api/auth/me"),
  people("POST /api/auth/signin", "POST /api/auth/signin", {}),
  signedIn("POST /api/auth/signout", "POST /api/auth/signout", {}),
  signedIn("GET /api/openapi.json", "GET /api/openapi.json"),
  signedIn("GET /api/agents", "GET /api/agents"),
  people("GET /api/nodes", "GET /api/nodes"),
  signedIn("GET /api/plugins", "GET /api/plugins"),
  signedIn("POST /api/sessions", "POST /api/sessions", { title: "New" }),
  signedIn("GET /api/sessions", "GET /api/sessions"),
  signedIn("GET /api/sessions/:id", "GET /api/sessions/$session"),
  people("PATCH /api/sessions/:id", "PATCH /api/sessions/$session", { title: "Other" }),
  people("DELETE /api/sessions/:id", "DELETE /api/sessions/$session"),
  signedIn("GET /api/sessions/:id/events", "GET /api/sessions/$session/events"),
  signedIn("POST /api/sessions/:id/messages", "POST /api/sessions/$session/messages", {
    content: "hello",
  }),
  signedIn("POST /api/sessions/:id/cancel", "POST /api/sessions/$session/cancel", {}),
  people("POST /api/sessions/:id/approve", "POST /api/sessions/$session/approve", {
    toolCallId: "$call",
  }),
  people("POST /api/sessions/:id/deny", "POST /api/sessions/$session/deny", {
    toolCallId: "$call",
  }),
  people("POST /api/sessions/:id/submit-answers", "POST /api/sessions/$session/submit-answers", {
    toolCallId: "$call",
    answers: { 0: "Yes" },
  }),
  signedIn("GET /api/interactions", "GET /api/interactions?sessionId=$session"),
  signedIn("GET /api/interactions/:id", "GET /api/interactions/$approval"),
  signedIn("POST /api/interactions", "POST /api/interactions", {
    sessionId: "$session",
    type: "approval",
    prompt: "May I?",
  }),
  signedIn("POST /api/interactions/:id/cancel", "POST /api/interactions/$approval/cancel", {}),
  people("POST /api/interactions/:id/respond", "POST /api/interactions/$approval/respond", {
    action: "approve",
  }),
  signedIn("POST /api/hooks/:agent", "POST /api/hooks/claude", { hook_event_name: "Stop" }),
  {
    route: "POST /mcp",
    request: "POST /mcp",
    body: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    headers: { accept: "application/json, text/event-stream" },
    needs: "credential",
  },
  people("GET /api/grants", "GET /api/grants"),
  people("DELETE /api/grants/:id", "DELETE /api/grants/$grant"),
  {
    route: "POST /api/plugins/:plugin/operations/:operation",
    request: "POST /api/plugins/house/operations/echo",
    body: { text: "hello" },
    headers: { "x-session-id": "$session" },
    needs: "credential",
  },
];

export interface FrameEntrance {
  frame: { type: string; [key: string]: unknown };
  needs: Exclude<Needs, "nothing">;
}

/** Every frame that a client may send, over the socket and in process. */
export const FRAME_ENTRANCES: FrameEntrance[] = [
  { frame: { type: "hello", protocolVersion: 1 }, needs: "credential" },
  { frame: { type: "subscribe", sessionId: "$session" }, needs: "credential" },
  { frame: { type: "unsubscribe", sessionId: "$session" }, needs: "credential" },
  { frame: { type: "user_message", sessionId: "$session", text: "hello" }, needs: "credential" },
  { frame: { type: "cancel", sessionId: "$session" }, needs: "credential" },
  {
    frame: {
      type: "tool_interaction_response",
      sessionId: "$session",
      callId: "$call",
      interactionId: "$approval",
      action: "approve",
    },
    needs: "person",
  },
  { frame: { type: "set_interaction_mode", enabled: true }, needs: "credential" },
  { frame: { type: "ping" }, needs: "credential" },
];

/** An entrance under the name that a test shows for it. */
export type Named<Entrance> = [name: string, entrance: Entrance];

export const EVERY = HTTP_ENTRANCES.map(named);
/** The entrances that take a body. */
export const WRITING = HTTP_ENTRANCES.filter(({ body }) => body !== undefined).map(named);
export const DECIDING = HTTP_ENTRANCES.filter(({ needs }) => needs === "person").map(named);
export const GUARDED = HTTP_ENTRANCES.filter(({ needs }) => needs !== "nothing").map(named);
export const FRAMES = FRAME_ENTRANCES.map((one): Named<FrameEntrance> => [one.frame.type, one]);
export const DECIDING_FRAMES = FRAMES.filter(([, { needs }]) => needs === "person");

/** Every attack at every entrance, as the arguments of one test each. */
export function everywhere<Attack>(
  entrances: Named<HttpEntrance>[],
  attacks: [what: string, attack: Attack][],
): [name: string, what: string, entrance: HttpEntrance, attack: Attack][] {
  return attacks.flatMap(([what, attack]) =>
    entrances.map(([name, entrance]): [string, string, HttpEntrance, Attack] => [
      name,
      what,
      entrance,
      attack,
    ]),
  );
}

function named(entrance: HttpEntrance): Named<HttpEntrance> {
  return [entrance.request, entrance];
}

function open(route: string, request: string, body?: HttpEntrance["body"]): HttpEntrance {
  return { route, request, body, needs: "nothing" };
}

function signedIn(route: string, request: string, body?: HttpEntrance["body"]): HttpEntrance {
  return { route, request, body, needs: "credential" };
}

function people(route: string, request: string, body?: HttpEntrance["body"]): HttpEntrance {
  return { route, request, body, needs: "person" };
}
