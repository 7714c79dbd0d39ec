import { hostileRequest } from "./hostile-requests.js";

/**
 * Asks `request`. What comes next is data too, so that a test can say it all in one call:
 * `next: { reprompt }` asks that once more after the first answer, `{ pending }` ends the call as
 * queued, `{ complete }` gives that result, `{ fail }` fails; `onTimeout` likewise. Without, the
 * result is what the person did.
 */
const ask = ({ request, next, onTimeout }, ctx) =>
  ctx.requestInteraction({
    timeoutMs: null,
    whenUnavailable: "wait",
    ...request,
    onResponse: (response, { attempt }) => {
      if (next?.fail) throw Object.assign(new Error(next.fail.message), { code: next.fail.code });
      if (next && (attempt === 1 || !next.reprompt)) return next;
      return { complete: response };
    },
    ...(onTimeout && { onTimeout: () => onTimeout }),
  });

/** How to let a call of `fragile` fail, by its session. */
const breaks = new Map();

const nextOf = ({ next, kind, text, marked }) =>
  next &&
  {
    reprompt: { reprompt: hostileRequest(kind, text, marked) },
    pending: { pending: { message: text } },
    fail: { fail: { code: "tool_error", message: text } },
    complete: { complete: { [text === "__proto__" ? "text" : text]: [text, { text }] } },
  }[next];

export default {
  operations: {
    ask,
    fleeting: ask,
    fragile: (args, ctx) => {
      const broken = new Promise((_, reject) => {
        const before = breaks.get(ctx.sessionId) ?? [];
        breaks.set(ctx.sessionId, [...before, reject]);
      });
      return Promise.race([ask(args, ctx), broken]);
    },
    break: ({ message }, ctx) => {
      for (const reject of breaks.get(ctx.sessionId) ?? []) {
        reject(Object.assign(new Error(message), { code: "tool_error" }));
      }
      breaks.delete(ctx.sessionId);
    },
    hostile: (input, ctx) => {
      const { kind, text, marked } = input;
      ctx.output(text);
      return ask({ request: hostileRequest(kind, text, marked), next: nextOf(input) }, ctx);
    },
    gated: ({ result, output }, ctx) => {
      if (output) ctx.output(output);
      return result ?? { ok: true };
    },
    print: ({ result, output }, ctx) => {
      ctx.output(output ?? "");
      return result;
    },
    fail: ({ code = "tool_error", message }) => {
      throw Object.assign(new Error(message), { code });
    },
  },
};
