import type { Answers } from "./answers.ts";
import type { HttpApi } from "./http-api.ts";
import type { Transport } from "./transport.ts";

/** What every transport does by HTTP. */
export function requests(api: HttpApi) {
  return {
    sessions: (query) => api.sessions(query),
    session: (sessionId) => api.session(sessionId),
    createSession: (body) => api.createSession(body),
    updateSession: (sessionId, body) => api.updateSession(sessionId, body),
    deleteSession: (sessionId) => api.deleteSession(sessionId),
    agents: () => api.agents(),
    events: (sessionId, query) => api.events(sessionId, query),
    interaction: (interactionId) => api.interaction(interactionId),
    grants: () => api.grants(),
    revokeGrant: (grantId) => api.revokeGrant(grantId),
    streamMessage: (sessionId, message, onEvent, options) =>
      api.streamMessage(sessionId, message, onEvent, options?.signal),
    cancel: (sessionId, turnId) => api.cancel(sessionId, turnId),
  } satisfies Partial<Transport>;
}

export function answersToCalls(answers: Answers) {
  return {
    submitAnswers: (...given) => answers.submitAnswers(...given),
    approveTool: (...given) => answers.approveTool(...given),
    denyTool: (...given) => answers.denyTool(...given),
  } satisfies Partial<Transport>;
}
