import type { EventOf } from "../scenarios/client.ts";
import type { Habit, Person } from "./person.ts";

/** What a secret looks like: nothing on disk may ever hold it. */
export const SECRET = "crash-secret-4711";
const QUESTIONS = [
  {
    header: "Colour",
    question: "Which colour?",
    options: [{ label: "red" }, { label: "blue" }],
    multiSelect: false,
  },
];

type Tell = (person: Person, sessionId: string, id: string) => void;

const call = (tool: string, input: object) => `/call ${tool} ${JSON.stringify(input)}`;
const says = (text: (id: string) => string) =>
  ((person, sessionId, id) => {
    person.say(sessionId, text(id));
  }) satisfies Tell;

/** What happens in a session between people, an agent and its tools. Each `id` is another round. */
export const STORIES = {
  /** Steps before the prompt, in its hook and after it. */
  steps: says((id) => call("journey", { id })),
  /** The first answer is not good enough. */
  reprompt: says((id) => call("insist", { id })),
  questionnaire: says(() => call("ask_questions", { questions: QUESTIONS })),
  /** The second call finds the approval that the first one got. */
  grant(person, sessionId, id) {
    person.say(sessionId, call("guarded", { id, key: id }));
    person.say(sessionId, call("guarded", { id: `${id}-again`, key: id }));
  },
  /** The gate asks for the first call and lets the second one through on what it remembers. */
  gate(person, sessionId, id) {
    person.say(sessionId, call("held", { id, key: id }));
    person.say(sessionId, call("held", { id: `${id}-again`, key: id }));
  },
  /** Nobody answers in time, and then somebody does. */
  late: says((id) => call("patient", { id })),
  secret: says((id) => call("unlock", { id })),
  /** A tool that cannot be run again. */
  orphan: says((id) => call("fleeting", { id })),
  /** An agent that makes the identical call again, and may find it answered. */
  retry(person, sessionId, id) {
    person.say(sessionId, call("fleeting", { id }));
    person.say(sessionId, call("fleeting", { id }));
  },
  parallel: says(
    (id) =>
      `/parallel journey {"id":"${id}"} | insist {"id":"${id}"} | ask_user {"question":"${id}?"}`,
  ),
  /** An operation of a plugin, called from outside any turn. */
  http: (person, sessionId, id) => person.call(sessionId, "crash/operations/order", { id }),
  /** Cheap answers. */
  many: says((id) => {
    const uses = Array.from({ length: 10 }, (_, at) => `ask_user {"question":"${id} ${at}?"}`);
    return `/parallel ${uses.join(" | ")}`;
  }),
} satisfies Record<string, Tell>;

export type StoryName = keyof typeof STORIES;

/** Answers everything at once, but for the one prompt that is there to be answered late. */
export const habit: Habit = (request, detached) => {
  const body = answerTo(request);
  return request.payload.toolName === "patient" && !detached ? undefined : [body];
};

function answerTo({ payload }: EventOf<"interaction_request">): Record<string, unknown> {
  switch (payload.toolName) {
    case "journey":
    case "crash_order":
    case "fleeting":
      return { action: "approve" };
    case "guarded":
    case "held":
      return { action: "approve", approvalScope: "session" };
    case "insist":
      return submit({ code: payload.attempt === 1 ? "bad" : "good" });
    case "ask_questions":
      return submit({ answers: { "0": "blue" } });
    case "patient":
      return submit({ port: "80" });
    case "unlock":
      return submit({ user: "ann", password: SECRET });
    default:
      return submit({ answer: "yes" });
  }
}

function submit(input: Record<string, unknown>) {
  return { action: "submit", input };
}

/** What each tool gives in the end, whatever happened on the way. */
export const RESULTS: Record<string, (id: unknown) => Record<string, unknown>> = {
  journey: (id) => ({ id, action: "approve" }),
  crash_order: (id) => ({ id, action: "approve" }),
  insist: (id) => ({ id, attempt: 2 }),
  guarded: (id) => ({ id, granted: "session" }),
  held: (id) => ({ id }),
  patient: () => ({ pending: true, queued: true }),
  unlock: (id) => ({ id, user: "ann", length: SECRET.length }),
  fleeting: (id) => ({ id, answer: "approve" }),
  ask_questions: () => ({ ok: true, answers: { "0": "blue" } }),
  ask_user: () => ({ ok: true, answer: "yes" }),
};
