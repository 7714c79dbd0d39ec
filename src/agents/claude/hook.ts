import { z } from "zod";
import type { HookAsker, UserResponse } from "../../core/index.ts";
import {
  ForeignId,
  type InteractionRecord,
  LIMITS,
  parseBody,
  type PromptRequest,
} from "../../protocol/index.ts";
import { planReview } from "./plan-review.ts";
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
  const reply = REPLIES.get(parseBody(Event, given).hook_event_name);
  if (!reply) return {};
  const posted = parseBody(Posted, given);
  if (posted.hook_event_name === "PermissionRequest" && (await isAskedAlready(posted, asker))) {
    return {};
  }
  return reply(await decide(posted, asker), posted);
}

/**
 * A Claude Code that Beckon runs asks by itself where it needs a permission. If it has the hook of
 * a plain one in its settings, that has nothing to add. One that its commands start is another.
 */
async function isAskedAlready({ session_id }: Posted, asker: HookAsker): Promise<boolean> {
  return readState(await asker.state()).sessionId === session_id;
}

async function decide(posted: Posted, asker: HookAsker): Promise<Decision> {
  const { timeoutMs } = asker;
  const { tool_name: toolName, tool_input: toolInput } = posted;
  const ended = await asker.ask({
    place: {
      key: posted.session_id,
      title: `Claude Code in ${posted.cwd?.split("/").at(-1) || "a terminal"}`,
      ...(posted.cwd === undefined ? {} : { cwd: posted.cwd }),
    },
    ...(posted.tool_use_id === undefined ? {} : { caller: { toolCallId: posted.tool_use_id } }),
    toolName,
    toolInput,
    prompt: { ...promptFor(posted), ...(timeoutMs === undefined ? {} : { timeoutMs }) },
  });
  return toDecision(posted, ended);
}

function promptFor(posted: Posted): PromptRequest {
  const { tool_name, tool_input, permission_suggestions } = posted;
  if (tool_name === "AskUserQuestion") {
    parseBody(Questions, { tool_input });
    const questions = toPromptQuestions(questionsOf(tool_input)) as PromptRequest["questions"];
    return { type: "input", presentation: "questionnaire", questions };
  }
  if (tool_name === "ExitPlanMode") {
    return { type: "approval", ...planReview(tool_input), approvalScopes: ["once"] };
  }
  // "Always" would be a promise of ours, and here Claude Code itself remembers; but only what the
  // reply to a permission request tells it.
  const canTell = posted.hook_event_name === "PermissionRequest";
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
  { permission_suggestions }: Posted,
  { approvalScope, updatedInput }: UserResponse,
): Decision {
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

/** A map, so that an event cannot be called `constructor`. */
const REPLIES = new Map<string, (decision: Decision, posted: Posted) => unknown>([
  ["PermissionRequest", permissionRequest],
  ["PreToolUse", preToolUse],
  ["PermissionPrompt", permissionPrompt],
]);
