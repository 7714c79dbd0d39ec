import type { BusMessage, Commit, CorePorts, RunRow } from "../core/index.ts";

type CallScope = Parameters<CorePorts["scope"]["run"]>[0];

/** Something that the engine is about to do, or has just done, through one of its ports. */
type Moment =
  | { when: "committing" | "committed"; commit: Commit }
  | { when: "publishing" | "published"; message: BusMessage }
  | { when: "entering" | "left"; scope: CallScope }
  | { when: "claimed"; runs: RunRow[] };

type Matches = (moment: Moment) => boolean;

/**
 * Where a server can be killed: every instant of the promises, and those around them. A re-prompt's
 * outcome and its next prompt are one commit, so there is no instant between them, only before and
 * after.
 */
export const CRASH_POINTS = {
  // A message, its turn, a call.
  "before-message-stored": committing(says("user_message", { source: "user" })),
  "turn-started": committed(says("turn_start", { trigger: "user" })),
  "call-stored": committed(inserts("tool_calls")),
  // A prompt.
  "before-request-stored": committing(both(inserts("interactions"), not(settles("reprompt")))),
  "request-stored-before-broadcast": publishing("publishing", "interaction_request"),
  "request-broadcast": publishing("published", "interaction_request"),
  // A response.
  "before-response-stored": committing(both(inserts("responses"), not(isFollowUp))),
  "response-stored-before-reply": committed(both(inserts("responses"), not(isFollowUp))),
  // The hook and its steps; the steps of the handler.
  "before-hook": scope("entering", (one) => one.answering !== undefined),
  "hook-before-step": scope("entering", isHookStep),
  "hook-in-step": scope("left", isHookStep),
  "hook-step-stored": committed(storesStep((key) => !key.startsWith("|"))),
  "hook-grant-stored": committed(inserts("grants")),
  "hook-done-before-outcome": scope("left", (one) => one.answering !== undefined),
  "outcome-stored-before-result": committed(settles("complete")),
  "before-reprompt-stored": committing(settles("reprompt")),
  "reprompt-stored": committed(settles("reprompt")),
  "handler-before-step": scope("entering", isHandlerStep),
  "handler-in-step": scope("left", isHandlerStep),
  "handler-step-stored": committed(storesStep((key) => key.startsWith("|"))),
  // The end of a call and of its turn.
  "before-result-stored": committing(says("tool_result", {})),
  "result-stored-before-turn-end": committed(says("tool_result", {})),
  "before-turn-end-stored": committing(says("turn_end", {})),
  "turn-end-stored": committed(says("turn_end", {})),
  // A deadline.
  "before-deadline-stored": committing(expires),
  "deadline-stored-before-hook": committed(expires),
  "timeout-hook-done": scope("left", (one) => one.path.endsWith("/timeout")),
  // A late answer: its commit, the turn that it starts.
  "before-late-answer-stored": committing(both(inserts("responses"), isFollowUp)),
  "late-answer-stored-before-turn": committed(both(inserts("responses"), isFollowUp)),
  "late-answer-turn-started": committed(says("turn_start", { trigger: "late_answer" })),
  // Taking over what the process before left behind.
  "runs-claimed": (moment) => moment.when === "claimed" && moment.runs.length > 0,
  "before-orphan-stored": committing(orphans),
  "orphan-stored": committed(orphans),
} satisfies Record<string, Matches>;

export type CrashPoint = keyof typeof CRASH_POINTS;

/**
 * Wraps what the engine stands on so that `reached` is called, synchronously, at every crash point.
 * The product itself holds none: without this wrapper they do not exist.
 */
export function withCrashPoints(ports: CorePorts, reached: (point: CrashPoint) => void): CorePorts {
  const points = Object.entries(CRASH_POINTS) as [CrashPoint, Matches][];
  const pass = (moment: Moment) => {
    for (const [point, matches] of points) if (matches(moment)) reached(point);
  };
  const { store, bus, scope: inner } = ports;
  return {
    ...ports,
    store: {
      ...store,
      async commit(commit) {
        pass({ when: "committing", commit });
        const result = await store.commit(commit);
        if (result.ok) pass({ when: "committed", commit });
        return result;
      },
      async claim(by) {
        const runs = await store.claim(by);
        pass({ when: "claimed", runs });
        return runs;
      },
    },
    bus: {
      publish(message) {
        pass({ when: "publishing", message });
        bus.publish(message);
        pass({ when: "published", message });
      },
      subscribe: (listener) => bus.subscribe(listener),
    },
    scope: {
      current: () => inner.current(),
      run(scope, work) {
        pass({ when: "entering", scope });
        const result = inner.run(scope, work);
        const leave = <Value>(value: Value) => {
          pass({ when: "left", scope });
          return value;
        };
        return result instanceof Promise ? (result.then(leave) as typeof result) : leave(result);
      },
    },
  };
}

function committing(matches: (commit: Commit) => boolean): Matches {
  return (moment) => moment.when === "committing" && matches(moment.commit);
}

function committed(matches: (commit: Commit) => boolean): Matches {
  return (moment) => moment.when === "committed" && matches(moment.commit);
}

function publishing(when: "publishing" | "published", type: string): Matches {
  return (moment) =>
    moment.when === when &&
    moment.message.type === "events" &&
    (moment.message.events ?? []).some((event) => event.type === type);
}

function scope(when: "entering" | "left", matches: (scope: CallScope) => boolean): Matches {
  return (moment) => moment.when === when && matches(moment.scope);
}

function both(
  one: (commit: Commit) => boolean,
  other: (commit: Commit) => boolean,
): (commit: Commit) => boolean {
  return (commit) => one(commit) && other(commit);
}

function not(matches: (commit: Commit) => boolean): (commit: Commit) => boolean {
  return (commit) => !matches(commit);
}

function inserts(table: string): (commit: Commit) => boolean {
  return ({ writes }) => writes.some((write) => write.table === table && write.ifVersion === 0);
}

function says(type: string, payload: Record<string, unknown>): (commit: Commit) => boolean {
  const wanted = Object.entries(payload);
  return ({ events }) =>
    events.some((event) => {
      const given = event.payload as Record<string, unknown>;
      return event.type === type && wanted.every(([name, value]) => given[name] === value);
    });
}

function settles(kind: "complete" | "reprompt"): (commit: Commit) => boolean {
  return ({ writes }) =>
    writes.some((write) => write.table === "interactions" && write.set.outcome?.kind === kind);
}

function storesStep(matches: (key: string) => boolean): (commit: Commit) => boolean {
  return ({ writes }) =>
    writes.some(
      (write) =>
        write.table === "journal" && write.set.kind === "step" && matches(write.id[1] ?? ""),
    );
}

function expires({ writes }: Commit): boolean {
  return writes.some((write) => write.table === "interactions" && write.set.status === "expiring");
}

function isFollowUp(commit: Commit): boolean {
  return says("user_message", { source: "late_answer" })(commit);
}

/** A call ends without its tool: its prompt is left open, or its unheard answer becomes a message. */
function orphans(commit: Commit): boolean {
  const leavesOpen = commit.writes.some(
    (write) => write.table === "interactions" && write.set.link === "orphaned",
  );
  return leavesOpen || (isFollowUp(commit) && says("tool_result", {})(commit));
}

function isHandlerStep({ path }: CallScope): boolean {
  return path.startsWith("|step|");
}

function isHookStep({ path }: CallScope): boolean {
  return path.includes("|step|") && !path.startsWith("|step|");
}
