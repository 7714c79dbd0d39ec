import type { Life } from "./recorder.ts";
import type { BrokenRule, DurabilityRule } from "./rules.ts";
import type { RunRecord } from "./run-tool.ts";

/** A rule that a run shows to be broken; the advice is added later. */
export interface Finding extends Omit<BrokenRule, "message"> {
  what: string;
}

/** What is the same in two runs that nobody interrupted. What is not says nothing about replay. */
export interface Baseline {
  run: RunRecord;
  other: RunRecord;
}

/** Compares a run that was interrupted with what it did before that, and with one that was not. */
export function judge(run: RunRecord, baseline: Baseline): Finding[] {
  const live = baseline.run;
  const replay = replayFindings(run, baseline);
  const found = [...replay, ...(replay.length === 0 ? endFindings(run, baseline) : [])];
  const isComparable = live.effects === baseline.other.effects && !run.cutStep;
  if (isComparable && run.effects > live.effects) {
    const what = `${run.effects} effects instead of ${live.effects}, when ${story(run)}.`;
    found.push({ rule: "effect_outside_step", at: "the call", what });
  }
  return found;
}

/** What is wrong whatever happens to the process. */
export function judgeValues(run: RunRecord): Finding[] {
  return [
    ...run.changed.map(({ at, what }) => ({
      rule: "not_json" as const,
      at,
      what: `${capital(at)} holds ${what}.`,
    })),
    ...run.leaks.map((at) => ({
      rule: "secret_in_value" as const,
      at,
      what: `A secret that a person entered is in ${at}.`,
    })),
  ];
}

function replayFindings(run: RunRecord, baseline: Baseline): Finding[] {
  const found: Finding[] = [];
  for (const [index, life] of run.lives.entries()) {
    for (const before of run.lives.slice(0, index)) {
      const finding = promptFinding(before, life, baseline) ?? stepFinding(before, life);
      if (finding) found.push(finding);
    }
  }
  return found;
}

function promptFinding(before: Life, life: Life, baseline: Baseline): Finding | undefined {
  for (const [id, { name, text }] of life.prompts) {
    const asked = before.prompts.get(id);
    if (!asked || asked.text === text) continue;
    const [one, other] = [baseline.run, baseline.other].map(({ lives }) =>
      lives[0]?.prompts.get(id),
    );
    const isSteady = one && other && comparable(one.text) === comparable(other.text);
    const rule: DurabilityRule = isSteady ? "closure_state" : "unstable_prompt";
    const what = `It asked something else when it was run again: first ${asked.text}, then ${text}.`;
    return { rule, at: name, what };
  }
  return undefined;
}

function stepFinding(before: Life, life: Life): Finding | undefined {
  if (before.overlapped || life.overlapped) return undefined;
  for (const [where, names] of before.steps) {
    const again = life.steps.get(where);
    // A hook whose outcome is stored is not run again, nor are its steps.
    if (!again && where !== "") continue;
    const length = life.returned ? names.length : Math.min(names.length, again?.length ?? 0);
    for (let index = 0; index < length; index++) {
      const [first, second] = [names[index], again?.[index]];
      if (first === second) continue;
      const then = second === undefined ? "not at all" : `"${second}"`;
      const what = `Its step ${index + 1} was "${first}" at first, and ${then} when it was run again.`;
      return { rule: "step_order", at: `step "${first}"`, what };
    }
  }
  return undefined;
}

function endFindings(run: RunRecord, { run: live, other }: Baseline): Finding[] {
  const [mine, theirs] = [
    comparable(JSON.stringify(run.end)),
    comparable(JSON.stringify(live.end)),
  ];
  if (mine === theirs) return [];
  if (!run.end.ok && run.end.error.code === "tool_interrupted") {
    const what = `It could not be run again when ${story(run)}.`;
    return [{ rule: "unstable_prompt", at: "the call", what }];
  }
  if (theirs !== comparable(JSON.stringify(other.end))) return [];
  const what = `It ended with ${mine} when ${story(run)}, and with ${theirs} when nothing happened.`;
  return [{ rule: "closure_state", at: "the result of the call", what }];
}

function story({ interruption }: RunRecord): string {
  switch (interruption.kind) {
    case "none":
      return "nothing happened to the process";
    case "forgets":
      return "the process forgot it at every prompt";
    case "dies":
      return `the process died after it had stored ${interruption.stored} times`;
  }
}

/** Ids differ from run to run; which of them are the same does not. */
function comparable(text: string): string {
  const seen = new Map<string, string>();
  return text.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\bid-\d{6}\b/g, (id) => {
    const name = seen.get(id) ?? `#${seen.size + 1}`;
    seen.set(id, name);
    return name;
  });
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
