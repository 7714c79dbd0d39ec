/*
 * What authors of plugins write against: `beckon/plugin`. In JavaScript nothing of it need be
 * imported; `import("beckon/plugin")` in a comment gives the types.
 */
import type { PluginInstance, PluginSetup } from "./start-plugin.ts";

export {
  type HookOutcome,
  type InteractionRequestWithHooks,
  type Log,
  type Prompt,
  type PromptInfo,
  type ResponseInfo,
  type ToolContext as OperationContext,
  ToolError,
  type UserResponse,
} from "../core/index.ts";
export type { Field, FieldErrors, InputSchema, Question, Section } from "../protocol/index.ts";
export type { Operation } from "./run-operation.ts";
export type { PluginInstance, PluginSetup } from "./start-plugin.ts";

/** A plugin that is called once, with its settings, and gives its operations. */
export type PluginFactory<Settings = Record<string, unknown>> = (
  setup: PluginSetup<Settings>,
) => PluginInstance | Promise<PluginInstance>;

/**
 * The shape of a plugin, checked and typed; has no effect of its own. It is what `index.js` exports
 * by default.
 *
 * Contract: one operation for each of the manifest, by its id, and no other. Their arguments have
 * been checked against the manifest's schemas; the types that they are given here are yours to keep
 * true to it.
 */
export function definePlugin(plugin: PluginInstance): PluginInstance;
export function definePlugin<Settings = Record<string, unknown>>(
  plugin: PluginFactory<Settings>,
): PluginFactory<Settings>;
export function definePlugin<Settings>(
  plugin: PluginInstance | PluginFactory<Settings>,
): PluginInstance | PluginFactory<Settings> {
  return plugin;
}
