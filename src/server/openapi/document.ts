import { z } from "zod";
import {
  AgentRecord,
  type ErrorCode,
  GrantRecord,
  NodeRecord,
  HTTP_STATUS,
  InteractionRecord,
  InteractionRequest,
  InteractionResponse,
  SessionRecord,
} from "../../protocol/index.ts";
import { type Operation, OPERATIONS } from "./operations.ts";
import { ChatEvent, ErrorReply, Plugin, Principal } from "./replies.ts";

/** What has a name of its own in the description. */
const NAMED: Record<string, z.ZodType> = {
  Session: SessionRecord,
  Interaction: InteractionRecord,
  InteractionRequest,
  InteractionResponse,
  Grant: GrantRecord,
  Node: NodeRecord,
  Event: ChatEvent,
  Agent: AgentRecord,
  Plugin,
  Principal,
  Error: ErrorReply,
};

const COOKIE = "A browser's. Where the address has a port, its name is beckon-PORT.";

/** Describes the HTTP entrance as OpenAPI 3.1, from the schemas that read it. */
export function createOpenApiDocument(version: string): Record<string, unknown> {
  const schemas = new Schemas();
  for (const [name, schema] of Object.entries(NAMED)) schemas.refer(schema, name);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of OPERATIONS) {
    const [method = "", path = ""] = operation.route.split(" ");
    const item = (paths[path.replaceAll(/:(\w+)/g, "{$1}")] ??= {});
    item[method.toLowerCase()] = describe(operation, schemas);
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Beckon",
      version,
      description: "Agents ask, people answer. Readers keep keys that they do not know.",
    },
    servers: [{ url: "/" }],
    security: [{ token: [] }, { cookie: [] }],
    paths,
    components: {
      schemas: schemas.all(),
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "A person's or a machine's token." },
        cookie: { type: "apiKey", in: "cookie", name: "beckon", description: COOKIE },
      },
    },
  };
}

/** Schemas by name, so that one that stands in several places is described once. */
class Schemas {
  readonly #registry = z.registry<{ id: string }>();

  refer(schema: z.ZodType, name: string): { $ref: string } {
    if (!this.#registry.has(schema)) this.#registry.add(schema, { id: name });
    return { $ref: place(this.#registry.get(schema)?.id ?? name) };
  }

  all(): Record<string, unknown> {
    const { schemas } = z.toJSONSchema(this.#registry, { uri: place, io: "input" });
    const entries = Object.entries(schemas).map(
      ([name, { $schema: _dialect, $id: _id, ...rest }]) => [name, rest],
    );
    return Object.fromEntries(entries) as Record<string, unknown>;
  }
}

const place = (name: string) => `#/components/schemas/${name}`;

function describe(operation: Operation, schemas: Schemas): Record<string, unknown> {
  const { route, summary, description, needs = "credential", body, stream } = operation;
  const id = idOf(route);
  const name = id.charAt(0).toUpperCase() + id.slice(1);
  const json = (schema: z.ZodType, called: string) => ({
    "application/json": { schema: schemas.refer(schema, called) },
  });
  const streamed = stream && { "text/event-stream": { schema: { type: "string" } } };
  const replies = Object.entries(operation.replies).map(([status, reply]) => [
    status,
    {
      description: stream
        ? `${reply.description} As an event stream: ${stream}`
        : reply.description,
      content: { ...json(reply.schema, `${name}Reply${status}`), ...streamed },
    },
  ]);
  return {
    operationId: id,
    summary,
    ...(description === undefined ? {} : { description }),
    ...(needs === "nothing" ? { security: [] } : {}),
    ...(needs === "person" ? { "x-needs": "person" } : {}),
    parameters: [
      ...Array.from(route.matchAll(/:(\w+)/g), ([, part]) => ({
        name: part,
        in: "path",
        required: true,
        schema: { type: "string" },
      })),
      ...parameters("query", operation.query),
      ...parameters("header", operation.headers),
    ],
    ...(body ? { requestBody: { required: true, content: json(body, `${name}Body`) } } : {}),
    responses: { ...Object.fromEntries(replies), ...errorReplies(operation, needs) },
  };
}

function parameters(where: "query" | "header", given: Operation["query"] = {}) {
  return Object.entries(given).map(([name, { schema, description }]) => {
    const { $schema: _dialect, ...plain } = z.toJSONSchema(schema);
    return { name, in: where, description, schema: plain };
  });
}

/** The codes of the errors that a request may get, by status. */
function errorReplies(
  { errors = [], body, replies }: Operation,
  needs: NonNullable<Operation["needs"]>,
): Record<string, unknown> {
  const codes = new Set<ErrorCode>([
    "forbidden_host",
    "forbidden_origin",
    ...(needs === "nothing" ? [] : (["unauthorized"] as const)),
    ...(needs === "person" ? (["person_required"] as const) : []),
    ...(body ? (["too_large", "json_required", "invalid_request"] as const) : []),
    ...errors,
    "store_unavailable",
  ]);
  const byStatus: Record<number, string[]> = {};
  for (const code of codes) (byStatus[HTTP_STATUS[code]] ??= []).push(`\`${code}\``);
  const content = { "application/json": { schema: { $ref: place("Error") } } };
  return Object.fromEntries(
    Object.entries(byStatus)
      .filter(([status]) => !(status in replies))
      .map(([status, listed]) => [status, { description: listed.join(", "), content }]),
  );
}

/** `POST /api/sessions/:id/messages` is `postSessionsIdMessages`. */
function idOf(route: string): string {
  const [method = "", path = ""] = route.split(" ");
  const words = path.replace(/^\/api\//, "").split(/\W+/);
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  return method.toLowerCase() + words.filter(Boolean).map(capital).join("");
}
