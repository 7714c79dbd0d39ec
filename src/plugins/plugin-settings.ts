import { listIssues, schemaIssues } from "../core/index.ts";
import type { PluginManifest } from "./manifest.ts";
import { BrokenPlugin } from "./problem.ts";

type Settings = Record<string, unknown>;

/** The settings that a plugin is started with: what it is given, and the defaults of its schema. */
export function settingsFor({ id, settingsSchema }: PluginManifest, given: Settings): Settings {
  if (!settingsSchema) return given;
  const settings = withDefaults(settingsSchema, given) as Settings;
  const issues = schemaIssues(settingsSchema, settings);
  if (issues.length === 0) return settings;
  throw new BrokenPlugin(
    `Its settings are not right: ${listIssues(issues)}. Mend them in settings.json, under plugins.${id}.`,
  );
}

/** A copy of a value in which what is missing is as the schema's `default` says, at every level. */
function withDefaults(schema: unknown, value: unknown): unknown {
  if (!isObject(schema)) return value;
  if (value === undefined) {
    if (!Object.hasOwn(schema, "default")) return undefined;
    return withDefaults(schema, structuredClone(schema["default"]));
  }
  const { properties } = schema;
  if (!isObject(value) || !isObject(properties)) return value;
  const filled = { ...value };
  for (const [name, inner] of Object.entries(properties)) {
    const one = withDefaults(inner, Object.hasOwn(value, name) ? value[name] : undefined);
    if (one !== undefined) filled[name] = one;
  }
  return filled;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
