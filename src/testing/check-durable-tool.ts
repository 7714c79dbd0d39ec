import type { CallEnd, ToolDefinition } from "../core/index.ts";
import type { InteractionRequest } from "../protocol/index.ts";
import type { Interruption } from "./durable-tool/engine.ts";
import { type Finding, judge, judgeValues } from "./durable-tool/judge.ts";
import { ADVICE, type BrokenRule } from "./durable-tool/rules.ts";
import {
  type RunRecord,
  runTool,
  type ScriptedAnswer,
  ScriptError,
  type ToolScript,
} from "./durable-tool/run-tool.ts";

export interface DurableToolOptions {
  /** The arguments of the call. @default {} */
  args?: unknown;
  /**
   * What a person does with its prompts: one answer after another, or a function of the prompt.
   * `"timeout"` lets the prompt's time pass.
   *
   * @default none: the tool must not ask
   */
  answers?: ScriptedAnswer[] | ((request: InteractionRequest) => ScriptedAnswer);
  /**
   * How many times the tool has changed the world so far: a counter of your fake mail server, the
   * length of a list. Without it, effects outside of steps cannot be noticed.
   */
  effects?(): number;
  /** How long it may take from one thing that it does to the next, in real time. @default 5000 */
  patienceMs?: number;
}

/** What came out of a check. In a test: `assert.ok(report.ok, String(report))`. */
export interface DurabilityReport {
  ok: boolean;
  /** Each rule once for each place that it was broken at. */
  broken: BrokenRule[];
  /** What breaks nothing today. */
  advice: BrokenRule[];
  /** How the call ended when nothing happened to the process. */
  end: CallEnd;
  /** How many times the tool was called. */
  runs: number;
  toString(): string;
}

/** A tool that stores more often is killed only this many times. */
const MOST_DEATHS = 200;

/**
 * Runs a tool on the real engine, and says which of the rules for durable tools it breaks: twice
 * with nothing in its way, once by a process that forgets it at every prompt, and once for each
 * thing that it stores by a process that dies right before that. Its prompts are answered by a
 * script; between two lives of its handler a day passes on its `Date`.
 *
 * Contract: the tool's outside world is yours. It must answer the same in each run, or the runs
 * cannot be compared. Works in any test runner.
 *
 * Throws when nothing can be said: the script does not fit the prompts, the tool does not run with
 * these arguments, or it neither asks nor returns in time.
 */
export async function checkDurableTool(
  tool: ToolDefinition,
  options: DurableToolOptions = {},
): Promise<DurabilityReport> {
  const script: ToolScript = {
    args: options.args ?? {},
    answers: options.answers ?? [],
    effects: () => options.effects?.() ?? 0,
    patienceMs: options.patienceMs ?? 5_000,
    calendar: { lives: 0 },
  };
  const live = await runTool(tool, script, { kind: "none" });
  if (live.lives.length === 0) throw didNotRun(tool, live.end);
  const runs = [live];
  const findings: Finding[] = judgeValues(live);
  const advice: Finding[] = [];
  if (tool.durable !== "replay") {
    findings.push({ rule: "not_durable", at: "the tool", what: "A restart ends its calls." });
  } else if (!live.end.ok && live.end.error.code === "key_required") {
    findings.push({ rule: "key_required", at: "the call", what: live.end.error.message });
  } else {
    findings.push(...(await interrupt(tool, script, runs)));
    if (tool.version === undefined) {
      advice.push({ rule: "version_missing", at: "the tool", what: "It has no version." });
    }
  }
  return report(tool, runs, distinct(findings), distinct(advice));
}

async function interrupt(
  tool: ToolDefinition,
  script: ToolScript,
  runs: RunRecord[],
): Promise<Finding[]> {
  const live = runs[0] as RunRecord;
  const other = await runTool(tool, script, { kind: "none" });
  runs.push(other);
  const deaths = Array.from({ length: Math.min(live.stored, MOST_DEATHS) }, (_none, stored) => ({
    kind: "dies" as const,
    stored,
  }));
  const findings: Finding[] = [];
  for (const interruption of [{ kind: "forgets" as const }, ...deaths]) {
    findings.push(...(await tryOnce(tool, script, interruption, { run: live, other }, runs)));
  }
  return findings;
}

async function tryOnce(
  tool: ToolDefinition,
  script: ToolScript,
  interruption: Interruption,
  baseline: { run: RunRecord; other: RunRecord },
  runs: RunRecord[],
): Promise<Finding[]> {
  try {
    const run = await runTool(tool, script, interruption);
    runs.push(run);
    return [...judge(run, baseline), ...judgeValues(run)];
  } catch (error) {
    // The same script did for the run that nothing happened to: here it asked something else.
    if (!(error instanceof ScriptError)) throw error;
    return [{ rule: "unstable_prompt", at: "the call", what: `When run again: ${error.message}` }];
  }
}

function didNotRun(tool: ToolDefinition, end: CallEnd): ScriptError {
  const why = end.ok ? "" : ` ${end.error.message}`;
  return new ScriptError(`${tool.name} did not run with these arguments.${why}`);
}

function distinct(findings: Finding[]): BrokenRule[] {
  const known = new Map<string, BrokenRule>();
  for (const { rule, at, what } of findings) {
    const message = `${what} ${ADVICE[rule]}`;
    if (!known.has(`${rule} ${at}`)) known.set(`${rule} ${at}`, { rule, at, message });
  }
  return [...known.values()];
}

function report(
  tool: ToolDefinition,
  runs: RunRecord[],
  broken: BrokenRule[],
  advice: BrokenRule[],
): DurabilityReport {
  const lines = (rules: BrokenRule[]) =>
    rules.map(({ rule, at, message }) => `- ${rule}, at ${at}: ${message}`);
  return {
    ok: broken.length === 0,
    broken,
    advice,
    end: (runs[0] as RunRecord).end,
    runs: runs.length,
    toString: () =>
      [
        broken.length === 0
          ? `${tool.name} kept every rule in ${runs.length} runs.`
          : `${tool.name} broke rules of durable tools:`,
        ...lines(broken),
        ...(advice.length > 0 ? ["Also:", ...lines(advice)] : []),
      ].join("\n"),
  };
}
