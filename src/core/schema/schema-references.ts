/*
 * Where a `$ref` leads. Only what stands in the same schema can be referred to: nothing is fetched.
 */

export type Schema = Readonly<Record<string, unknown>>;

/** Keywords whose values are data: what looks like a schema in them is none. */
const DATA = new Set(["const", "enum", "default", "examples"]);

/** The schema, or a part of it that has an `$id` of its own: its references begin there. */
interface Resource {
  root: unknown;
  anchors: Map<string, unknown>;
  /** What its references lead to, as far as that was looked up. */
  found: Map<string, unknown>;
}

/** Finds what a part of a schema refers to. Throws in words that go on from "cannot be used:". */
export type Resolve = (from: Schema, reference: string) => unknown;

export function referencesOf(schema: Schema): Resolve {
  const resources = new Map<object, Resource>();
  index(schema, { root: schema, anchors: new Map(), found: new Map() }, resources);
  return (from, reference) => {
    const resource = resources.get(from);
    const found = resource?.found.get(reference) ?? lookUp(resource, reference);
    if (found === undefined) throw new Error(`Unresolved $ref "${reference}"`);
    resource?.found.set(reference, found);
    return found;
  };
}

function lookUp(resource: Resource | undefined, reference: string): unknown {
  if (!resource || !reference.startsWith("#")) return undefined;
  const name = reference.slice(1);
  if (name === "" || name.startsWith("/")) return follow(resource.root, name);
  return resource.anchors.get(name);
}

/** What a JSON pointer leads to. */
export function follow(root: unknown, pointer: string): unknown {
  let part = root;
  for (const step of pointer.split("/").slice(1)) {
    const name = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (part === null || typeof part !== "object" || !Object.hasOwn(part, name)) return undefined;
    part = (part as Schema)[name];
  }
  return part;
}

function index(part: unknown, outer: Resource, resources: Map<object, Resource>): void {
  if (part === null || typeof part !== "object" || resources.has(part)) return;
  const { $id, $anchor, $dynamicAnchor } = part as Schema;
  const begins = typeof $id === "string" && part !== outer.root;
  const resource: Resource = begins ? { root: part, anchors: new Map(), found: new Map() } : outer;
  resources.set(part, resource);
  for (const anchor of [$anchor, $dynamicAnchor]) {
    if (typeof anchor !== "string") continue;
    if (resource.anchors.has(anchor)) throw new Error(`Two parts have the $anchor "${anchor}"`);
    resource.anchors.set(anchor, part);
  }
  for (const [keyword, value] of Object.entries(part)) {
    if (!DATA.has(keyword)) index(value, resource, resources);
  }
}
