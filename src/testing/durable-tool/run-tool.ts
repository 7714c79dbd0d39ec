import type { CallEnd, InteractionRow, ToolDefinition, UserResponse } from "../../core/index.ts";
import { fieldsOf, type InteractionRequest, ProtocolError } from "../../protocol/index.ts";
import { Engine, type Interruption } from "./engine.ts";
import { type Life, Recorder } from "./recorder.ts";
import { shiftToolDates } from "./tool-dates.ts";

/** What the scripted person does with one prompt: a response, or nothing until its time is up. */
export type ScriptedAnswer = UserResponse | "timeout";

/** How a tool is called, and what its prompts are answered. */
export interface ToolScript {
  args: unknown;
  answers: ScriptedAnswer[] | ((request: InteractionRequest) => ScriptedAnswer);
  effects: () => number;
  patienceMs: number;
  /** Counts the lives of the handler over all runs. */
  calendar: { lives: number };
}

/** One run of a tool from its call to its end, through one life of its handler or several. */
export interface RunRecord {
  interruption: Interruption;
  lives: Life[];
  end: CallEnd;
  /** What people were asked, in order. */
  shown: string[];
  /** How many effects there were in this run. */
  effects: number;
  /** How often the call stored something. */
  stored: number;
  /** The process died while a step ran, so that step had to run again. */
  cutStep: boolean;
  changed: { at: string; what: string }[];
  /** Where a secret that was answered has been stored. */
  leaks: string[];
}

/** The script does not fit the tool: nothing can be said about the tool. */
export class ScriptError extends Error {
  override name = "ScriptError";
}

/** Shorter ones are found in anything. */
const SHORTEST_SECRET = 4;

export async function runTool(
  tool: ToolDefinition,
  script: ToolScript,
  interruption: Interruption,
): Promise<RunRecord> {
  const recorder = new Recorder(script.calendar);
  const restoreDates = shiftToolDates(recorder.offset);
  const engine = await Engine.start(recorder.wrap(tool), interruption);
  const before = script.effects();
  const person = new ScriptedPerson(script, recorder);
  let cutStep = false;
  try {
    engine.call(script.args);
    let end: CallEnd | undefined;
    while (!end) {
      const { heard } = engine;
      await engine.clock.settle();
      if (engine.died) {
        cutStep = (recorder.lives.at(-1)?.running ?? 0) > 0;
        await engine.revive();
        continue;
      }
      end = await engine.end();
      if (end || (await person.answerNext(engine))) continue;
      if (!(await engine.hears(heard, script.patienceMs))) throw stuck(tool, script);
    }
    const texts = await engine.texts();
    return {
      interruption,
      lives: recorder.lives,
      end,
      shown: person.shown,
      effects: script.effects() - before,
      stored: engine.stored,
      cutStep,
      changed: recorder.changed,
      leaks: texts.filter(({ text }) => person.gaveAway(text)).map(({ at }) => at),
    };
  } finally {
    restoreDates();
    await engine.close();
  }
}

/** Answers by the script, the same in every run. */
class ScriptedPerson {
  readonly shown: string[] = [];
  readonly #answered = new Map<string, ScriptedAnswer>();
  readonly #secrets = new Set<string>();
  readonly #script: ToolScript;
  readonly #recorder: Recorder;

  constructor(script: ToolScript, recorder: Recorder) {
    this.#script = script;
    this.#recorder = recorder;
  }

  /** Says whether there was a prompt to answer. */
  async answerNext(engine: Engine): Promise<boolean> {
    const rows = await engine.prompts();
    const row = rows.find(({ id, status }) => status === "open" && !this.#answered.has(id));
    if (!row) return false;
    const answer = this.#again(row) ?? this.#next(row);
    this.#answered.set(row.id, answer);
    if (answer === "timeout") await engine.clock.advance(timeoutOf(row));
    else await this.#respond(engine, row, answer);
    return true;
  }

  gaveAway(text: string): boolean {
    return [...this.#secrets].some((secret) => text.includes(JSON.stringify(secret).slice(1, -1)));
  }

  /** A secret that died with the process is asked for again by the engine, not by the tool. */
  #again({ previousId }: InteractionRow): ScriptedAnswer | undefined {
    if (previousId === null || this.#recorder.reprompted.has(previousId)) return undefined;
    const before = this.#answered.get(previousId);
    return before === "timeout" ? undefined : before;
  }

  #next({ request }: InteractionRow): ScriptedAnswer {
    const { answers } = this.#script;
    const { interactionId: _id, expiresAt: _at, attempt: _attempt, ...content } = request;
    this.shown.push(JSON.stringify(content));
    if (typeof answers === "function") return answers(request);
    const answer = answers[this.shown.length - 1];
    if (answer) return answer;
    throw new ScriptError(
      `The tool asked ${this.shown.length} times, and the script has ${answers.length} answers. ` +
        `The last prompt was: ${request.prompt ?? JSON.stringify(content)}`,
    );
  }

  async #respond(engine: Engine, row: InteractionRow, body: UserResponse) {
    const { inputSchema } = row.request;
    for (const field of inputSchema ? fieldsOf(inputSchema) : []) {
      const value = body.input?.[field.id];
      if (field.type !== "secret" || typeof value !== "string") continue;
      if (value.length >= SHORTEST_SECRET) this.#secrets.add(value);
    }
    try {
      await engine.respond(row.id, { ...body });
    } catch (cause) {
      if (!(cause instanceof ProtocolError)) throw cause;
      const { fieldErrors } = cause.details;
      const fields = fieldErrors ? ` ${JSON.stringify(fieldErrors)}` : "";
      throw new ScriptError(
        `Answer ${this.shown.length} of the script does not fit its prompt: ${cause.message}${fields}`,
        { cause },
      );
    }
  }
}

function timeoutOf({ request }: InteractionRow): number {
  if (typeof request.timeoutMs === "number") return request.timeoutMs;
  throw new ScriptError('The script says "timeout" to a prompt that waits for ever.');
}

function stuck(tool: ToolDefinition, { patienceMs }: ToolScript): ScriptError {
  return new ScriptError(
    `${tool.name} neither asked nor returned within ${patienceMs} ms. If it is that slow, give ` +
      "the check more `patienceMs`; if it waits for something outside, let the test do that.",
  );
}
