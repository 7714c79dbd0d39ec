import { isDeepStrictEqual } from "node:util";
import { z } from "zod";

const Hook = z.looseObject({ type: z.string(), command: z.unknown().optional() });
const Group = z.looseObject({ hooks: z.array(Hook) });
const Hooks = z.record(z.string(), z.array(Group));
type Hooks = z.infer<typeof Hooks>;

/** The part of Claude Code's settings that is about hooks, or why it cannot be changed. */
export function parseHooks(value: unknown): Hooks | string {
  const parsed = Hooks.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  return `its "hooks" are not as Claude Code has them, at ${parsed.error.issues[0]?.path.join(".")}`;
}

export interface WantedHooks {
  /** The command that answers them. */
  command: string;
  timeoutSeconds: number;
  /** Which tools are asked about at every use, as Claude Code's matcher. */
  guard?: string;
}

/** What Claude Code is to do: to ask here where it would ask, and before what is guarded. */
export function hooksFor({ command, timeoutSeconds, guard }: WantedHooks): Hooks {
  const hook = { type: "command", command, timeout: timeoutSeconds };
  return {
    // If this fails, Claude Code asks by itself: nothing runs that nobody allowed.
    PermissionRequest: [{ matcher: "*", hooks: [hook] }],
    ...(guard === undefined
      ? {}
      : { PreToolUse: [{ matcher: guard, hooks: [{ ...hook, onFailure: "block" }] }] }),
  };
}

/** With these instead of those that were put in before. The same again changes nothing. */
export function withOurs(hooks: Hooks, ours: Hooks): Hooks {
  if (isDeepStrictEqual(onlyOurs(hooks), ours)) return hooks;
  const others = withoutOurs(hooks);
  const merged = { ...others };
  for (const [event, groups] of Object.entries(ours)) {
    merged[event] = [...(others[event] ?? []), ...groups];
  }
  return merged;
}

/** Leaves what others put in, also where it is empty. */
export function withoutOurs(hooks: Hooks): Hooks {
  return mapGroups(hooks, (group) => {
    const left = group.hooks.filter((hook) => !isOurs(hook));
    if (left.length === group.hooks.length) return group;
    return left.length > 0 ? { ...group, hooks: left } : undefined;
  });
}

/** Those that Beckon has put in. */
export function onlyOurs(hooks: Hooks): Hooks {
  const ours = mapGroups(hooks, (group) => (group.hooks.every(isOurs) ? group : undefined));
  return Object.fromEntries(Object.entries(ours).filter(([, groups]) => groups.length > 0));
}

function mapGroups(
  hooks: Hooks,
  map: (group: Hooks[string][number]) => Hooks[string][number] | undefined,
): Hooks {
  const events = Object.entries(hooks).flatMap(([event, groups]) => {
    const mapped = groups.flatMap((group) => map(group) ?? []);
    const emptied = groups.length > 0 && mapped.length === 0;
    return emptied ? [] : [[event, mapped] as const];
  });
  return Object.fromEntries(events);
}

/** Wherever Beckon was installed when it put them in. */
function isOurs({ type, command }: z.infer<typeof Hook>): boolean {
  return type === "command" && /\bbeckon(\.js)?['"]? hook claude\b/.test(String(command));
}
