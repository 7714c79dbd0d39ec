import type { Turn, TurnEnd } from "../../core/index.ts";
import { checkFolder } from "../cli/check-folder.ts";
import { createPreToolUse, STOPPED, wasStopped } from "./defer.ts";
import { createOnElicitation } from "./elicitation.ts";
import { InputStream } from "./input-stream.ts";
import type { ClaudeSettings } from "./options.ts";
import { isOurTool, withOurNames } from "../cli/our-tools.ts";
import { letRun, withOurTools } from "./our-tools.ts";
import { createCanUseTool } from "./permissions.ts";
import type { Refusals } from "./refusal.ts";
import type { CanUseTool, ClaudeSdk, Query, QueryOptions } from "./sdk.ts";
import { createSpawn } from "./spawn.ts";
import { type ClaudeState, type DeferredUse, readState } from "./state.ts";
import { Transcript } from "./transcript.ts";

/** What one turn needs, whatever processes it takes. */
interface Conversation {
  settings: ClaudeSettings;
  turn: Turn;
  sdk: ClaudeSdk;
  state: ClaudeState;
  /** As somebody wants them now: another process of the same turn starts with these. */
  permissionMode: Turn["permissionMode"];
  model?: string;
  /** The process that runs, if one does. */
  query?: Query;
  transcript: Transcript;
  canUseTool: CanUseTool;
}

/**
 * One turn: a process of Claude Code that resumes the session's conversation and ends with it. Where
 * a call was deferred, the process has ended and another one goes on once a person has answered.
 */
export async function runTurn(settings: ClaudeSettings, given: Turn): Promise<TurnEnd> {
  // The SDK would blame its own program.
  await checkFolder(given.cwd ?? settings.cwd);
  const turn = await withOurNames(given, settings.env);
  const refusals: Refusals = new Map();
  const talk: Conversation = {
    settings,
    turn,
    sdk: await settings.loadSdk(),
    state: readState(turn.state),
    permissionMode: turn.permissionMode,
    ...(turn.model === undefined ? {} : { model: turn.model }),
    transcript: new Transcript(turn, refusals, (changed) => hearChange(talk, changed)),
    canUseTool: createCanUseTool(turn, settings, refusals),
  };
  turn.onSettings((wanted) => apply(talk, wanted));
  await settings.history.catchUp(turn, talk.state);
  const { deferred } = talk.state;
  if (deferred?.turnId === turn.turnId) await answerDeferred(talk, deferred);
  else await runQuery(talk, turn.message.text);
  while (talk.transcript.deferred && !turn.signal.aborted) {
    await answerDeferred(talk, talk.transcript.deferred);
  }
  if (!turn.signal.aborted) await talk.transcript.endLaunched();
  await markHistory(talk);
  const { failed } = talk.transcript.outcome;
  if (failed === undefined) return { status: "completed" };
  return { status: "failed", error: { code: "agent_failed", message: failed } };
}

async function markHistory(talk: Conversation): Promise<void> {
  const { settings, turn, state } = talk;
  if (turn.signal.aborted || state.sessionId === undefined) return;
  const history = await settings.history.mark(turn.turnId, state.sessionId);
  if (history) await keep(talk, { history });
}

/** What Claude Code changes itself is the session's, and its next process starts with that. */
async function hearChange(
  talk: Conversation,
  changed: { permissionMode?: Turn["permissionMode"]; model?: string },
): Promise<void> {
  if (changed.permissionMode === talk.permissionMode) return;
  Object.assign(talk, changed);
  await talk.turn.keepSettings(changed);
}

function apply(
  talk: Conversation,
  { permissionMode, model }: { permissionMode: Turn["permissionMode"]; model?: string },
): void {
  talk.permissionMode = permissionMode;
  // What a running process refuses holds from the next one on.
  void talk.query?.setPermissionMode(permissionMode).catch(() => {});
  if (model === undefined) return;
  talk.model = model;
  void talk.query?.setModel(model).catch(() => {});
}

/** Asks about a call that no process waits for, then lets one go on with the answer. */
async function answerDeferred(talk: Conversation, use: DeferredUse): Promise<void> {
  const { turn, transcript, canUseTool } = talk;
  const { id, name, input } = use;
  const deferred = { id, name, input, turnId: turn.turnId };
  await keep(talk, { deferred });
  const call = await turn.startCall({ nativeId: id, toolName: name, input });
  transcript.recall(id, call);
  await canUseTool(name, input, { signal: new AbortController().signal, toolUseID: id });
  if (turn.signal.aborted) return;
  // Nothing tells whether a process that died here had run it, and silence would wait for ever.
  await keep(talk, { deferred: { ...deferred, resumed: true } });
  await runQuery(talk);
  await keep(talk, { deferred: undefined });
}

async function keep(talk: Conversation, change: Partial<ClaudeState>): Promise<void> {
  talk.state = { ...talk.state, ...change };
  await talk.turn.keepState(talk.state);
}

/** @param text what is said; nothing where a deferred call is to go on */
async function runQuery(talk: Conversation, text?: string): Promise<void> {
  const { turn, transcript } = talk;
  transcript.deferred = undefined;
  const input = new InputStream();
  if (text !== undefined) input.push(text);
  let errors = "";
  const spawnClaudeCodeProcess = createSpawn((text) => (errors = text.trim()));
  const options = { spawnClaudeCodeProcess, ...(await queryOptions(talk)) };
  const query = talk.sdk.query({ prompt: input, options });
  const stop = stopOnAbort(turn.signal, query, input);
  turn.onMessage(({ text: more }) => input.push(more));
  const hush = () => {
    turn.onMessage(undefined);
    input.end();
  };
  talk.query = query;
  void talk.settings.offered.learn(query);
  try {
    for await (const message of query) {
      const { session_id: sessionId } = message;
      if (sessionId && sessionId !== talk.state.sessionId) await keep(talk, { sessionId });
      await transcript.take(message);
      // Nothing more goes in; what was sent meanwhile is still answered before the query ends.
      if (message.type === "result") hush();
    }
  } catch (error) {
    // Where it has said itself what was wrong, the code of its process says no more.
    const isTold = turn.signal.aborted || transcript.outcome.failed !== undefined;
    if (!isTold) throw withErrors(error, errors);
  } finally {
    stop();
    hush();
    delete talk.query;
    query.close();
  }
}

/** The SDK knows how its process ended, and the process itself has said why. */
function withErrors(error: unknown, errors: string): unknown {
  if (errors === "" || !(error instanceof Error)) return error;
  return new Error(`${error.message}. It said: ${errors}`, { cause: error });
}

async function queryOptions(talk: Conversation): Promise<QueryOptions> {
  const { settings, turn, state, canUseTool, transcript } = talk;
  const { env, ask, settingSources, extra, timeoutMs, durableAsk } = settings;
  const model = talk.model ?? settings.model;
  const { permissionMode } = talk;
  const agentEnv = await turn.environment(env);
  const { allow, mcpServers } = withOurTools(agentEnv, extra["mcpServers"]);
  const preToolUse = createPreToolUse(turn.turnId, () => talk.state, transcript);
  // A slow start of Claude Code comes back to a deferred call before it knows of the hook above.
  const canStillUse: CanUseTool = async (name, input, asked) => {
    if (wasStopped(talk.state, turn.turnId, asked.toolUseID)) {
      return { behavior: "deny", message: STOPPED };
    }
    if (mcpServers && isOurTool(name)) return letRun(turn, name, input, asked);
    return canUseTool(name, input, asked);
  };
  return {
    ...extra,
    env: agentEnv,
    ...(mcpServers === undefined ? {} : { mcpServers }),
    cwd: turn.cwd ?? settings.cwd,
    ...(model === undefined ? {} : { model }),
    permissionMode,
    ...(permissionMode === "bypassPermissions" ? { allowDangerouslySkipPermissions: true } : {}),
    ...(settingSources === undefined ? {} : { settingSources }),
    ...(ask.length + allow.length === 0 ? {} : { settings: { permissions: { ask, allow } } }),
    // A hook that fails lets the call run, unless it is told to block.
    ...(durableAsk
      ? { hooks: { PreToolUse: [{ hooks: [preToolUse], timeout: 60, onFailure: "block" }] } }
      : {}),
    systemPrompt: {
      type: "preset",
      preset: "claude_code",
      ...(turn.systemPrompt === undefined ? {} : { append: turn.systemPrompt }),
    },
    ...(state.sessionId === undefined ? {} : { resume: state.sessionId }),
    includePartialMessages: true,
    canUseTool: canStillUse,
    onElicitation: createOnElicitation(turn, timeoutMs),
  };
}

/** How long an interrupted process may take to end by itself. */
const PATIENCE_MS = 2_000;

/**
 * When the turn is over from outside, the process ends, whatever our own loop waits for: first with
 * an interrupt, so that its conversation stays one that can be resumed.
 */
function stopOnAbort(signal: AbortSignal, query: Query, input: InputStream): () => void {
  let timer: NodeJS.Timeout | undefined;
  const close = () => {
    clearTimeout(timer);
    query.close();
  };
  const stop = () => {
    timer = setTimeout(close, PATIENCE_MS);
    query.interrupt().then(close, close);
    input.end();
  };
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  return () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  };
}
