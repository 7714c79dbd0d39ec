import { type NativeCall, ToolError, type Turn, type UserResponse } from "../../core/index.ts";
import { canonicalJson } from "../../protocol/index.ts";
import { askingInput } from "./asking-bash.ts";
import { changesOf } from "./changes.ts";
import type { ClaudeSettings } from "./options.ts";
import { modeAfterPlan, PLAN_OPTIONS, planReview } from "./plan-review.ts";
import { questionsOf, toPromptQuestions, withAnswers } from "./questions.ts";
import { nobodyAnswered, NOT_ANSWERED, type Refusals, WITHDRAWN } from "./refusal.ts";
import type { AskOptions, CanUseTool, PermissionResult } from "./sdk.ts";
import { remembers } from "./suggestions.ts";

type Input = Record<string, unknown>;

interface Asked {
  toolName: string;
  input: Input;
  options: AskOptions;
  /** Where the agent works. */
  folder: string;
  /** What the tool is to be given in place of its input, where that can do nothing but ask. */
  asking: (call: NativeCall) => Input | undefined;
}

interface Given {
  asked: Asked;
  call?: NativeCall;
  answer: Promise<PermissionResult>;
}

/**
 * Turns what the SDK asks into prompts. It returns when a person has answered, so the call waits
 * inside the SDK as long as that takes. Asked again about the same call, it gives the same answer.
 */
export function createCanUseTool(
  turn: Turn,
  { timeoutMs, cwd }: Pick<ClaudeSettings, "timeoutMs" | "cwd">,
  refusals: Refusals,
): CanUseTool {
  const folder = turn.cwd ?? cwd;
  const given = new Map<string, Given>();
  return async (toolName, input, options) => {
    const use = { toolName, input, options, folder };
    const asking = ({ toolCallId }: NativeCall) => askingInput(turn, { toolCallId, folder }, use);
    const asked = { ...use, asking };
    const before = given.get(options.toolUseID);
    if (before && !before.call?.ended) {
      return isSame(before.asked, asked) ? before.answer : { behavior: "deny", message: ID_IN_USE };
    }
    // What the call before it was told is not about this one.
    refusals.delete(options.toolUseID);
    const starting = turn.startCall({ nativeId: options.toolUseID, toolName, input });
    const one: Given = { asked, answer: decide(starting, timeoutMs, asked, refusals) };
    given.set(options.toolUseID, one);
    one.call = await starting.catch(() => undefined);
    return one.answer;
  };
}

const ID_IN_USE =
  "Another call with the same id has not ended yet, so this did not run. Try again.";

/** Models use ids again: an approval of one call must not let another one run. */
function isSame(one: Asked, other: Asked): boolean {
  if (one.toolName !== other.toolName) return false;
  // A deferred call comes back in the words of the process that goes on with it.
  if (one.options.requestId === undefined) return true;
  return canonicalJson(one.input) === canonicalJson(other.input);
}

async function decide(
  starting: Promise<NativeCall>,
  timeoutMs: number | null | undefined,
  asked: Asked,
  refusals: Refusals,
): Promise<PermissionResult> {
  const { toolName, options } = asked;
  let call: NativeCall | undefined;
  try {
    call = await starting;
    if (toolName === "AskUserQuestion") return await askQuestions(call, timeoutMs, asked);
    return await askPermission(call, timeoutMs, asked);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    refusals.set(options.toolUseID, error.code);
    return refuse(call, error, timeoutMs);
  }
}

async function askQuestions(
  call: NativeCall,
  timeoutMs: number | null | undefined,
  { input, options }: Asked,
): Promise<PermissionResult> {
  const response = (await call.ask(
    {
      type: "input",
      presentation: "questionnaire",
      questions: toPromptQuestions(questionsOf(input)),
      timeoutMs,
      onResponse: (said) => ({ complete: said }),
    },
    options.signal,
  )) as UserResponse;
  if (response.action === "submit") {
    return { behavior: "allow", updatedInput: withAnswers(input, response) };
  }
  throw new ToolError("tool_denied", response.reason ?? NOT_ANSWERED);
}

async function askPermission(
  call: NativeCall,
  timeoutMs: number | null | undefined,
  { toolName, input, options, folder, asking }: Asked,
): Promise<PermissionResult> {
  const instead = asking(call);
  const isPlan = toolName === "ExitPlanMode";
  // What could change Claude Code's own rules, and the like: it suggests for these what it suggests
  // for any other file, and still asks each time.
  const isGuarded = options.decisionReasonType === "safetyCheck";
  const changes = await changesOf(toolName, input, folder);
  if (changes) await call.update({ changes });
  const permission = await call.approve({
    ...(isPlan
      ? { ...planReview(input), options: PLAN_OPTIONS }
      : isGuarded
        ? {}
        : remembers(options.suggestions, { toolName, folder })),
    context: contextOf(options),
    scopes: isPlan || isGuarded ? ["once"] : ["once", "session", "always"],
    editable: !isPlan,
    onlyAsks: instead !== undefined,
    timeoutMs,
    signal: options.signal,
  });
  if (!permission.allowed) throw new ToolError("tool_denied", permission.reason);
  const updatedInput = (permission.edited ? undefined : instead) ?? (permission.input as Input);
  if (!isPlan) return { behavior: "allow", updatedInput };
  const mode = modeAfterPlan(permission.optionId);
  const updatedPermissions = [{ type: "setMode", mode, destination: "session" }];
  return { behavior: "allow", updatedInput, updatedPermissions };
}

function contextOf({ title, description, decisionReason, blockedPath }: AskOptions) {
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(decisionReason === undefined ? {} : { reason: decisionReason }),
    ...(blockedPath === undefined ? {} : { blockedPath }),
  };
}

/** The model reads the sentence. Only what a person did is told as something a person did. */
async function refuse(
  call: NativeCall | undefined,
  error: ToolError,
  timeoutMs: number | null | undefined,
): Promise<PermissionResult> {
  if (call?.stopped) {
    await call.end({ ok: false, error: { code: error.code, message: error.message } });
    return { behavior: "deny", message: error.message, interrupt: true };
  }
  return { behavior: "deny", message: sentence(error, timeoutMs) };
}

function sentence(error: ToolError, timeoutMs: number | null | undefined): string {
  if (error.code === "interaction_timeout") return nobodyAnswered(timeoutMs);
  return error.code === "interaction_cancelled" ? WITHDRAWN : error.message;
}
