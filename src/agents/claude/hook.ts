import { createHash } from "node:crypto";
import { z } from "zod";
import type { HookAsker, UserResponse } from "../../core/index.ts";
import {
  canonicalJson,
  ForeignId,
  type InteractionRecord,
  LIMITS,
  parseBody,
  type PromptRequest,
} from "../../protocol/index.ts";
import { modeAfterPlan, PLAN_OPTIONS, planReview } from "./plan-review.ts";
import { refusalOf } from "./refusal.ts";
import { questionsOf, toPromptQuestions, withAnswers } from "./questions.ts";
import type { PermissionUpdate } from "./sdk.ts";
import { readState } from "./state.ts";
import { inClaudeCode } from "./suggestions.ts";

const Suggestion = z.looseObject({
  type: z.string(),
  rules: z
    .array(z.looseObject({ toolName: z.string(), ruleContent: z.string().optional() }))
    .optional(),
  directories: z.array(z.string()).optional(),
  mode: z.string().optional(),
});

/** What Claude Code posts to a hook, or hands to its permission-prompt tool. */
const Posted = z.looseObject({
  hook_event_name: z.string(),
  session_id: ForeignId.default("unknown"),
  cwd: z.string().max(LIMITS.cwdCharacters).optional(),
  tool_name: ForeignId,
  tool_use_id: ForeignId.optional(),
  tool_input: z.record(z.string(), z.unknown()),
  permission_suggestions: z.array(Suggestion).default([]),
});
type Posted = z.infer<typeof Posted>;

const Event = z.looseObject({ hook_event_name: z.string() });
const Questions = z.looseObject({
  tool_input: z.looseObject({
    questions: z
      .array(
        z.looseObject({
          question: z.string(),
          header: z.string().optional(),
          multiSelect: z.boolean().optional(),
          options: z.array(z.looseObject({ label: z.string() })),
        }),
      )
      .min(1),
  }),
});

/** What our own hook posts once somebody has decided in the terminal of Claude Code. */
export const DECIDED_IN_TERMINAL = "BeckonDecidedInTerminal";
const Decided = z.looseObject({
  end: z.discriminatedUnion("ok", [
    z.object({ ok: z.literal(true), result: z.string() }),
    z.object({
      ok: z.literal(false),
      error: z.object({ code: z.enum(["tool_denied", "tool_error"]), message: z.string() }),
    }),
  ]),
});

type Decision =
  | { allow: true; input?: Record<string, unknown>; updates?: PermissionUpdate[] }
  | { allow: false; message: string; stop: boolean };

/**
 * Answers PermissionRequest and PreToolUse of a Claude Code that runs by itself, and its
 * permission-prompt tool. Other events ask for nothing and get an empty reply.
 */
export async function answerHook(
  given: Record<string, unknown>,
  asker: HookAsker,
): Promise<unknown> {
  const { hook_event_name: event } = parseBody(Event, given);
  if (event === DECIDED_IN_TERMINAL) {
    return { closed: await asker.decidedElsewhere(parseBody(Decided, given).end) };
  }
  const reply = REPLIES.get(event);
  if (!reply) return {};
  const posted = parseBody(Posted, given);
  if (posted.hook_event_name === "PermissionRequest" && (await isAskedAlready(posted, asker))) {
    return {};
  }
  const decision = await decide(posted, asker);
  if (decision) return reply(decision, posted);
  // Claude Code has gone on already. Its permission tool must say something all the same.
  return event === "PermissionPrompt" ? permissionPrompt(ELSEWHERE, posted) : {};
}

/**
 * A Claude Code that Beckon runs asks by itself where it needs a permission. If it has the hook of
 * a plain one in its settings, that has nothing to add. One that its commands start is another.
 */
async function isAskedAlready({ session_id }: Posted, asker: HookAsker): Promise<boolean> {
  return readState(await asker.state()).sessionId === session_id;
}

async function decide(posted: Posted, asker: HookAsker): Promise<Decision | undefined> {
  const { timeoutMs } = asker;
  const { tool_name: toolName, tool_input: toolInput } = posted;
  const ended = await asker.ask({
    place: {
      key: posted.session_id,
      title: `Claude Code in ${posted.cwd?.split("/").at(-1) || "a terminal"}`,
      ...(posted.cwd === undefined ? {} : { cwd: posted.cwd }),
    },
    ...(posted.tool_use_id === undefined ? {} : { caller: { toolCallId: posted.tool_use_id } }),
    ...useOf(posted),
    toolName,
    toolInput,
    prompt: { ...promptFor(posted), ...(timeoutMs === undefined ? {} : { timeoutMs }) },
  });
  return ended.status === "decided_elsewhere" ? undefined : toDecision(posted, ended);
}

/** The hook of a permission and the permission tool are both asked. Models use an id again. */
function useOf({ tool_use_id, tool_name, tool_input, hook_event_name }: Posted) {
  if (tool_use_id === undefined) return {};
  const what = canonicalJson({ tool_use_id, tool_name, tool_input });
  const name = createHash("sha256").update(what).digest("base64url");
  return { use: { name, way: hook_event_name } };
}

function promptFor(posted: Posted): PromptRequest {
  const { tool_name, tool_input, permission_suggestions } = posted;
  if (tool_name === "AskUserQuestion") {
    parseBody(Questions, { tool_input });
    const questions = toPromptQuestions(questionsOf(tool_input)) as PromptRequest["questions"];
    return { type: "input", presentation: "questionnaire", questions };
  }
  const canTell = posted.hook_event_name === "PermissionRequest";
  if (tool_name === "ExitPlanMode") {
    const choices = canTell ? { approvalOptions: PLAN_OPTIONS } : {};
    return { type: "approval", ...planReview(tool_input), ...choices, approvalScopes: ["once"] };
  }
  // "Always" would be a promise of ours, and here Claude Code itself remembers; but only what the
  // reply to a permission request tells it.
  const session = canTell ? inClaudeCode(permission_suggestions) : [];
  return session.length === 0
    ? { type: "approval", editable: true, approvalScopes: ["once"] }
    : {
        type: "approval",
        editable: true,
        approvalScopes: ["once", "session"],
        approvalCovers: { session },
      };
}

function toDecision(posted: Posted, ended: InteractionRecord): Decision {
  const response = ended.response as UserResponse | undefined;
  if (response?.action === "submit") {
    return { allow: true, input: withAnswers(posted.tool_input, response) };
  }
  if (response?.action === "approve") return approved(posted, response);
  return {
    allow: false,
    message: refusalOf(ended),
    stop: response?.stop === true,
  };
}

function approved(
  { permission_suggestions, tool_name }: Posted,
  { approvalScope, updatedInput, optionId }: UserResponse,
): Decision {
  if (tool_name === "ExitPlanMode" && optionId !== undefined) {
    const mode = modeAfterPlan(optionId);
    return { allow: true, updates: [{ type: "setMode", mode, destination: "session" }] };
  }
  const edited = z.record(z.string(), z.unknown()).optional().safeParse(updatedInput);
  if (!edited.success) {
    const message = "The user changed the input to something that is no input, so it did not run.";
    return { allow: false, message, stop: false };
  }
  const updates = permission_suggestions.map((one) => ({ ...one, destination: "session" }));
  return {
    allow: true,
    ...(edited.data === undefined ? {} : { input: edited.data }),
    ...(approvalScope === "session" ? { updates } : {}),
  };
}

function permissionRequest(decision: Decision): unknown {
  return {
    hookSpecificOutput: {
      hookEventName: "PermissionRequest",
      decision: decision.allow
        ? {
            behavior: "allow",
            ...(decision.input ? { updatedInput: decision.input } : {}),
            ...(decision.updates ? { updatedPermissions: decision.updates } : {}),
          }
        : { behavior: "deny", message: decision.message, interrupt: decision.stop },
    },
  };
}

function preToolUse(decision: Decision): unknown {
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: decision.allow ? "allow" : "deny",
      permissionDecisionReason: decision.allow ? "A person approved it." : decision.message,
      ...(decision.allow && decision.input ? { updatedInput: decision.input } : {}),
    },
    ...(!decision.allow && decision.stop ? { continue: false, stopReason: decision.message } : {}),
  };
}

/** Not a hook of Claude Code's own: how the permission-prompt tool asks here. */
function permissionPrompt(decision: Decision, { tool_input }: Posted): unknown {
  return decision.allow
    ? { behavior: "allow", updatedInput: decision.input ?? tool_input }
    : { behavior: "deny", message: decision.message, interrupt: decision.stop };
}

const ELSEWHERE: Decision = {
  allow: false,
  message: "This was decided elsewhere.",
  stop: false,
};

/** A map, so that an event cannot be called `constructor`. */
const REPLIES = new Map<string, (decision: Decision, posted: Posted) => unknown>([
  ["PermissionRequest", permissionRequest],
  ["PreToolUse", preToolUse],
  ["PermissionPrompt", permissionPrompt],
]);
