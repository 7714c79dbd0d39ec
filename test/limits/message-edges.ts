import type { Edge } from "./edge.ts";
import { ENTRANCES, type Entrance } from "./entrances.ts";
import { euros, keyed, nested, sizedJson } from "./values.ts";

type Message = (fields: Record<string, unknown>, count: number) => string;

const tooLarge = ({ kind }: Entrance) => (kind === "http" ? "413 too_large" : "error too_large");
const invalid = ({ kind }: Entrance) =>
  kind === "http" ? "400 invalid_request" : "error invalid_request";

/** The text of a message stands under another name in each door. */
const withText = (fields: Record<string, unknown>, text: string) =>
  JSON.stringify("content" in fields ? { content: text } : { ...fields, text });

/** Each as it is, however the text gets in. */
const MESSAGES: [Edge["limit"], string, Message, (entrance: Entrance) => string][] = [
  [
    "messageBytes",
    "a message",
    sizedJson,
    ({ kind }) => (kind === "http" ? "413 too_large" : "closed 4009"),
  ],
  [
    "jsonDepth",
    "lists in lists",
    (fields, depth) => JSON.stringify({ ...fields, x: nested(depth - 1) }),
    invalid,
  ],
  [
    "jsonKeys",
    "keys at two levels",
    (fields, count) =>
      JSON.stringify({ ...fields, x: keyed(count - Object.keys(fields).length - 1) }),
    invalid,
  ],
  ["jsonStringBytes", "a text", (fields, bytes) => withText(fields, "x".repeat(bytes)), tooLarge],
  [
    "jsonStringBytes",
    "a text of three bytes a character",
    (fields, bytes) => withText(fields, euros(bytes)),
    tooLarge,
  ],
  [
    "jsonStringBytes",
    "a text of which every character is escaped",
    (fields, bytes) => withText(fields, "\n".repeat(bytes)),
    tooLarge,
  ],
  [
    "jsonStringBytes",
    "a key",
    (fields, bytes) => JSON.stringify({ ...fields, ["k".repeat(bytes)]: 1 }),
    tooLarge,
  ],
];

/** What arrives as text: the same limits at every door. */
export const MESSAGE_EDGES: Edge[] = MESSAGES.flatMap(([limit, what, message, beyond]) =>
  ENTRANCES.map((entrance) => ({
    limit,
    through: `${what} by ${entrance.name}`,
    beyond: beyond(entrance),
    async reach(world, count) {
      const { id } = await world.session();
      return entrance.send(world, id, message(entrance.message(id, "hello"), count));
    },
  })),
);
