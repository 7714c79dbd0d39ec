import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { createBeckon } from "../src/beckon.ts";
import { createOpenApiDocument } from "../src/server/openapi/document.ts";
import { OPERATIONS } from "../src/server/openapi/operations.ts";
import { HTTP_ENTRANCES } from "./security/entrances.ts";

test("every route is described, with who may use it", () => {
  const described = OPERATIONS.map(({ route, needs = "credential" }) => `${route}: ${needs}`);
  const real = HTTP_ENTRANCES.filter(({ route }) => route !== "GET /*");
  expect(described.toSorted()).toEqual(real.map(({ route, needs }) => `${route}: ${needs}`).sort());
});

test("a route is described as reading a body where it reads one", () => {
  for (const { route, body } of HTTP_ENTRANCES) {
    const described = OPERATIONS.find((operation) => operation.route === route);
    if (described)
      expect([route, described.body !== undefined]).toEqual([route, body !== undefined]);
  }
});

test("the description is valid OpenAPI, and every name in it leads somewhere", async () => {
  const document = createOpenApiDocument("1.0.0");
  expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
  const { schemas } = document["components"] as { schemas: Record<string, unknown> };
  const names = JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g);
  const missing = Array.from(names, ([, name = ""]) => name).filter(
    (name) => !Object.hasOwn(schemas, name.replace("#/components/schemas/", "")),
  );
  expect(missing).toEqual([]);
});

test("what the server answers is as described", async () => {
  const beckon = await createBeckon({
    dataDir: ":memory:",
    plugins: ["examples/plugins/demo-tools"],
  });
  try {
    const ask = async (route: string, path: string, body?: unknown) => {
      const [method = ""] = route.split(" ");
      const headers = {
        authorization: `Bearer ${beckon.ownerToken}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      };
      const init = {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      };
      const reply = await beckon.fetch(new Request(`http://localhost${path}`, init));
      const value: unknown = await reply.json();
      const described = OPERATIONS.find((operation) => operation.route === route);
      const schema = described?.replies[reply.status]?.schema;
      expect(schema?.safeParse(value).error, `${route} ${reply.status}`).toBeUndefined();
      expect(schema, `${route} answered ${reply.status}`).toBeDefined();
      return value as Record<string, string>;
    };
    const session = await ask("POST /api/sessions", "/api/sessions", {});
    const id = session["id"] ?? "";
    const prompt = await ask("POST /api/interactions", "/api/interactions", {
      sessionId: id,
      type: "approval",
      prompt: "May I?",
    });
    const at = `/api/interactions/${prompt["id"]}`;
    await ask("GET /api/interactions", "/api/interactions");
    await ask("GET /api/interactions/:id", at);
    await ask("POST /api/interactions/:id/respond", `${at}/respond`, { action: "approve" });
    await ask("POST /api/sessions/:id/messages", `/api/sessions/${id}/messages`, { content: "hi" });
    await ask("POST /api/sessions/:id/cancel", `/api/sessions/${id}/cancel`, {});
    await ask("GET /api/sessions/:id/events", `/api/sessions/${id}/events`);
    await ask("GET /api/sessions/:id", `/api/sessions/${id}`);
    await ask("GET /api/sessions", "/api/sessions");
    for (const path of ["health", "openapi.json", "agents", "plugins", "grants", "auth/me"]) {
      await ask(`GET /api/${path}`, `/api/${path}`);
    }
    await ask("PATCH /api/sessions/:id", `/api/sessions/${id}`, { title: "Other" });
    await ask("DELETE /api/sessions/:id", `/api/sessions/${id}`);
  } finally {
    await beckon.close();
  }
});
