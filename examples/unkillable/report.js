/**
 * What the demo claims, worked out afterwards from the log, the records and the files alone.
 *
 * @typedef {{ label: string, value: string, note?: string, ok: boolean }} Row
 * @typedef {{
 *   events: any[],
 *   records: any[],
 *   effects: { key: string, name: string, version: string }[],
 *   begun: string[],
 *   lives: { what: string, pid: number, how: string }[],
 *   secrets: { searched: number, files: number, foundIn: string[] },
 *   wantedKills: number,
 * }} Facts
 */

/** What a release does, and after which prompt. A person may say no to any of them. */
const EFFECTS = ["tag", "build", "changelog", "publish", "announce"];
const PROMPTS = ["approval", "details", "audience", "token", "announcement"];

/** @param {Facts} facts @returns {Row[]} */
export function judge(facts) {
  const { events } = facts;
  return [
    ...judgeLives(facts),
    judgeReleases(events),
    ...judgeAnswers(facts),
    ...judgeQuestions(events),
    ...judgeEffects(facts),
    judgeOrder(events),
    judgeSecrets(facts.secrets),
  ];
}

/** @param {Facts} facts @returns {Row[]} */
function judgeLives({ lives, wantedKills }) {
  const killed = lives.filter(({ what }) => what === "killed");
  const died = lives.filter(({ what, how }) => what === "ended" && how === "SIGKILL");
  const starts = lives.filter(({ what }) => what === "started").length;
  const real = killed.every(({ pid }) => died.some((one) => one.pid === pid));
  return [
    {
      label: "kills",
      value: String(killed.length),
      note: `SIGKILL, ${starts - 1} restarts`,
      ok: real && killed.length >= wantedKills && starts > killed.length,
    },
  ];
}

/** @param {any[]} events @returns {Row} */
function judgeReleases(events) {
  const calls = events.filter(({ type }) => type === "tool_call");
  const results = events.filter(({ type }) => type === "tool_result");
  const turns = events.filter(({ type }) => type === "turn_end");
  const ended = calls.every(({ payload }) => {
    const mine = results.filter((one) => one.payload.toolCallId === payload.toolCallId);
    return mine.length === 1 && mine[0].payload.ok;
  });
  const versions = calls.map(({ payload }) => payload.input.version);
  return {
    label: "releases",
    value: String(calls.length),
    note: versions.join(", "),
    ok:
      calls.length > 0 &&
      ended &&
      new Set(versions).size === calls.length &&
      turns.length === calls.length &&
      turns.every(({ payload }) => payload.status === "completed"),
  };
}

/** @param {Facts} facts @returns {Row[]} */
function judgeAnswers({ events, records }) {
  const prompts = events.filter(({ type }) => type === "interaction_request");
  const responses = events.filter(({ type }) => type === "interaction_response");
  const closed = events.filter(({ type }) => type === "interaction_closed");
  const once = prompts.every(({ payload }) => {
    const mine = responses.filter((one) => one.payload.interactionId === payload.interactionId);
    const record = records.find((one) => one.id === payload.interactionId);
    return (
      mine.length === 1 &&
      record?.status === "answered" &&
      record.response.answerId === mine[0].payload.answerId
    );
  });
  return [
    { label: "prompts", value: String(prompts.length), ok: closed.length === 0 },
    {
      label: "answers accepted",
      value: String(responses.length),
      note: once ? "one for each prompt" : "not one for each prompt",
      ok: once && responses.length === prompts.length,
    },
  ];
}

/**
 * A prompt may come again for two reasons that it names itself: a value was wrong, or the server
 * died with a secret in its memory. Any other repetition is a question asked twice.
 *
 * @param {any[]} events
 * @returns {Row[]}
 */
function judgeQuestions(events) {
  /** @type {Map<string, any>} */
  const asked = new Map();
  /** @type {Map<string, any>} */
  const versions = new Map();
  /** @type {Map<string, any>} */
  const answers = new Map();
  const count = { wrong: 0, secret: 0, twice: 0 };
  for (const { type, payload } of events) {
    if (type === "tool_call") versions.set(payload.toolCallId, payload.input.version);
    if (type === "interaction_response") answers.set(payload.interactionId, payload);
    if (type !== "interaction_request") continue;
    const question = `${versions.get(payload.toolCallId)}: ${payload.prompt}`;
    const before = asked.get(question);
    asked.set(question, payload);
    const answer = answers.get(before?.interactionId);
    if (!before && payload.attempt === 1) continue;
    if (!answer || payload.attempt !== before.attempt + 1 || !payload.error) count.twice++;
    else if (payload.fieldErrors) count.wrong++;
    else if (answer.secretFields) count.secret++;
    else count.twice++;
  }
  return [
    { label: "questions asked twice", value: String(count.twice), ok: count.twice === 0 },
    {
      label: "  asked again, wrong value",
      value: String(count.wrong),
      note: "the tool did not take what was typed",
      ok: true,
    },
    {
      label: "  asked again, secret lost",
      value: String(count.secret),
      note: "a secret is never stored: it dies with the server",
      ok: true,
    },
  ];
}

/** @param {Facts} facts @returns {Row[]} */
function judgeEffects({ events, effects, begun }) {
  const calls = events.filter(({ type }) => type === "tool_call");
  const results = events.filter(({ type }) => type === "tool_result");
  const expected = calls.flatMap(({ payload: { toolCallId, input } }) => {
    const end = results.find(({ payload }) => payload.toolCallId === toolCallId)?.payload.result;
    const names = end?.released ? EFFECTS : EFFECTS.slice(0, PROMPTS.indexOf(end?.stoppedAt));
    return names.map((name) => `${input.version} ${name}`);
  });
  const done = effects.map(({ version, name }) => `${version} ${name}`);
  const once = done.toSorted().join() === expected.toSorted().join();
  const again = begun.length - new Set(begun.map((line) => line.split(" ")[0])).size;
  const known = begun.filter((line) => line.endsWith(" done")).length;
  return [
    {
      label: "effects",
      value: String(effects.length),
      note: once ? "each once" : `not each once: ${done.join(", ")}`,
      ok: once,
    },
    {
      label: "  begun again",
      value: String(again),
      note: `steps killed before they were recorded; ${known} had done their work and saw it`,
      ok: true,
    },
  ];
}

/** @param {any[]} events @returns {Row} */
function judgeOrder(events) {
  const gap = events.findIndex(({ seq }, index) => seq !== index + 1);
  return {
    label: "events in the log",
    value: String(events.length),
    note: gap < 0 ? "numbered without a gap" : `not number ${gap + 1} at its place`,
    ok: events.length > 0 && gap < 0,
  };
}

/** @param {Facts["secrets"]} secrets @returns {Row} */
function judgeSecrets({ searched, files, foundIn }) {
  return {
    label: "secret found",
    value: String(foundIn.length),
    note:
      searched === 0
        ? "none was typed in this window"
        : foundIn.join(", ") || `in the log and ${files} files`,
    ok: foundIn.length === 0,
  };
}
