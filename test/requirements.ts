/**
 * What Beckon must do, as data, written down before its tests.
 *
 * The seeds are the design documents of the two systems that Beckon unites. Each requirement keeps
 * the words of the seed it comes from and says in ours what must hold; where the wire contract
 * or the rules of the page differ from a seed, `must` follows those. Each is cited by at least one
 * test.
 */
export interface Requirement {
  /** The seed it comes from. */
  seed: "000" | "001" | "002" | "003" | "004";
  /** The heading under which it stands in the seed. */
  place: string;
  /** The seed's own words: one contiguous piece of one line, at most 160 characters. */
  quote: string;
  /** What Beckon must do, corrected by the wire contract and the rules of the page. */
  must: string;
}

export const requirements = {
  // ask: a tool asks while it runs, and what it asked is what people see
  "ask:handler-decides": {
    seed: "000",
    place: "Overview",
    quote: "The **tool handler decides** when interaction is needed",
    must: "A tool whose handler does not ask ends with its result and without any interaction event.",
  },
  "ask:happy-path": {
    seed: "000",
    place: "1) Interactive Tool Sequence (Happy Path)",
    quote: "-- interaction_response (ChatEvent) ->|",
    must: "The log of a call that asks once reads `tool_call`, `interaction_request`, `interaction_response`, `tool_result`, in this order.",
  },
  "ask:blocks-nobody": {
    seed: "000",
    place: "Core Concept: Hook-Based Interaction",
    quote: "The tool doesn't block waiting for the user.",
    must: "While one call waits for a person, other calls of its turn and other sessions go on.",
  },
  "ask:two-types": {
    seed: "000",
    place: "ToolContext Addition",
    quote: "type: 'approval' | 'input';",
    must: "The request's type is the `interactionType` of its event, and an action that does not fit the type is refused and leaves the prompt open.",
  },
  "ask:as-written": {
    seed: "000",
    place: "ToolContext Addition",
    quote: "/** For input: form schema */",
    must: "The tool's name, the prompt's text and its form reach clients as the tool gave them: every field's id, type, label, description, default and options.",
  },
  "ask:checked": {
    seed: "000",
    place: "ToolContext Addition",
    quote: "required?: boolean;",
    must: "A submit with a required field missing, a value of the wrong type or an option not offered is refused with `invalid_response`; the prompt stays open and nothing is stored.",
  },
  "ask:field-types": {
    seed: "000",
    place: "ToolContext Addition",
    quote: "type: 'text' | 'textarea' | 'select' | 'checkbox' | 'radio';",
    must: "A fitting value reaches the hook as it was sent: text for `text` and `textarea`, an offered option for `select` and `radio`, a boolean for `checkbox`, or a list of offered ones if it has options; a field that is not required may be left out.",
  },

  // respond: what a person did comes in as one message and reaches the tool's hook
  "respond:reaches-hook": {
    seed: "000",
    place: "ToolContext Addition",
    quote:
      "onResponse: (response: UserResponse) => InteractionOutcome | Promise<InteractionOutcome>;",
    must: "`onResponse` is called with the action (a person's `cancel` too), scope, input and reason that were sent.",
  },
  "respond:names-prompt": {
    seed: "000",
    place: "Client → Server: `tool_interaction_response`",
    quote: "type: 'tool_interaction_response';",
    must: "A `tool_interaction_response` answers the one prompt that it names; if there is none, or `callId` or `sessionId` is not the prompt's, it is refused with `interaction_not_found`.",
  },

  // outcome: what the tool makes of the response
  "outcome:complete": {
    seed: "000",
    place: "ToolContext Addition",
    quote: "Return { complete: result } to finish the tool call",
    must: "`{ complete }` resolves `requestInteraction` with that value, and what the handler returns is the result in the call's one `tool_result`.",
  },
  "outcome:pending-from-response": {
    seed: "000",
    place: "ToolContext Addition",
    quote: "Return { pending: message } to tell agent to wait",
    must: "`{ pending }` from `onResponse` ends the call as queued with the message; its prompt is answered, and nothing more comes of it.",
  },
  "outcome:hook-context": {
    seed: "000",
    place: "Tool Handler Execution Context",
    quote: "They have access to the same `ctx` (sessionId, etc.) as the main handler",
    must: "A hook sees the handler's own `ctx` and may be async; the call ends only when it has settled.",
  },

  // reprompt: the tool asks again within the same call
  "reprompt:sequence": {
    seed: "000",
    place: "2) Reprompt Loop",
    quote: "-- interaction_request (reprompt) -->|",
    must: "A re-prompt comes after the `interaction_response` before it, belongs to the same call, counts `attempt` up, and the call has one `tool_result`, after the last answer.",
  },
  "reprompt:same-hooks": {
    seed: "000",
    place: "Implementing requestInteraction with Hooks",
    quote: "// Loop again with new request (keep same handlers)",
    must: "The hooks of the first request serve every re-prompt: `onResponse`, `onTimeout` and `onCancel`.",
  },
  "reprompt:content": {
    seed: "000",
    place: "Multiple Clients (First Response Wins)",
    quote: "with the plugin controlling the exact content",
    must: "A re-prompt's `interaction_request` holds the prompt, form and `error` that the outcome gives, also if they differ from those before.",
  },
  "reprompt:keeps-the-rest": {
    seed: "000",
    place: "Implementing requestInteraction with Hooks",
    quote: "...outcome.reprompt,",
    must: "What a re-prompt does not give (presentation, timeout, scopes, completedView) is as before, and its deadline starts anew.",
  },
  "reprompt:initial-values": {
    seed: "000",
    place: "Open Questions",
    quote: "Reprompts should preserve user input via `initialValues` in the questionnaire schema.",
    must: "A re-prompt's `initialValues` reach clients, so that what was typed is there again.",
  },
  "reprompt:closure": {
    seed: "000",
    place: "Open Questions",
    quote: "Tools can also keep state in closure if needed for multi-step flows.",
    must: "In a call that is not replayed, what a hook keeps in its closure at one prompt is there when it is run for the next.",
  },
  "reprompt:agent-sees-final": {
    seed: "000",
    place: "Open Questions",
    quote: "Agent only sees the final result.",
    must: "The agent gets the call's final result and nothing of the prompts and answers before it.",
  },
  "reprompt:limit": {
    seed: "000",
    place: "Reprompt Loop",
    quote: "Consider limiting reprompt count to prevent infinite loops",
    must: "A call may re-prompt 20 times; one more ends it with `too_many_reprompts`.",
  },

  // timeout: nobody answered in time, which is never a person's decision
  "timeout:deadline": {
    seed: "000",
    place: "Timeout Handling",
    quote: "Default: 5 minutes (configurable per-request)",
    must: "A prompt expires after its own `timeoutMs`, a tool's that gives none after five minutes, and `expiresAt` in its event says when.",
  },
  "timeout:range": {
    seed: "000",
    place: "Timeout Handling",
    quote: "(configurable per-request)",
    must: "`timeoutMs` is 1 s to 365 days, or `null` for a prompt that waits for ever; anything else makes `requestInteraction` reject at once, and no prompt is written.",
  },
  "timeout:own-end": {
    seed: "000",
    place: "Pending Interaction Registry",
    quote: "reject(new Error('Interaction timed out'));",
    must: "A prompt that times out ends with `interaction_closed` and reason `timed_out`, never with an `interaction_response`; without `onTimeout` its call fails with `interaction_timeout`.",
  },
  "timeout:hook-completes": {
    seed: "000",
    place: "Timeout Handling",
    quote: "On timeout: `onTimeout` handler is invoked if provided",
    must: "With `onTimeout`, its `complete` is the call's result, and the prompt ends as `timed_out`.",
  },
  "timeout:hook-reprompts": {
    seed: "000",
    place: "Implementing requestInteraction with Hooks",
    quote: "const outcome = await currentRequest.onTimeout();",
    must: "A `reprompt` from `onTimeout` ends the prompt as `timed_out` and then asks again in the same call.",
  },
  "timeout:answered-in-time": {
    seed: "000",
    place: "Pending Interaction Registry",
    quote: "if (entry.timeoutId) clearTimeout(entry.timeoutId);",
    must: "Once a prompt is answered its deadline means nothing: no hook runs and no event comes when it passes.",
  },

  // late-answer: the call has ended as queued, the question stays open
  "late-answer:queued-result": {
    seed: "000",
    place: "Late Responses (Pending Follow-up)",
    quote: "If a tool returns `{ pending: { message, queued: true } }`, the tool call completes",
    must: "`{ pending }` from `onTimeout` ends the call at once with `{ pending: true, queued: true, message }`, and the turn goes on.",
  },
  "late-answer:stays-open": {
    seed: "000",
    place: "Late Responses (Pending Follow-up)",
    quote: "The interaction remains open on the server",
    must: "A queued prompt has no end event and no deadline, is still listed as open, and gets `interaction_pending` with `pending: false, queued: true` right after its call's `tool_result`.",
  },
  "late-answer:follow-up": {
    seed: "000",
    place: "Late Responses (Pending Follow-up)",
    quote: "the server delivers a **follow-up user_message** to the agent session",
    must: "The answer to a queued prompt becomes an `interaction_response` with `late: true` and then exactly one `user_message` with source `late_answer` that names the prompt.",
  },
  "late-answer:new-turn": {
    seed: "000",
    place: "Late Responses (Pending Follow-up)",
    quote: "(not a continuation of the original tool call)",
    must: "A late answer starts a turn of its own with trigger `late_answer`, after the running one if there is one, and the call that asked gets no second `tool_result`.",
  },
  "late-answer:tells-agent": {
    seed: "000",
    place: "Open Questions",
    quote: "late responses come as new messages.",
    must: "The text of the message that a late answer becomes says what was asked and what the person answered, and it is what the agent gets in its new turn.",
  },
  "late-answer:no-hook": {
    seed: "000",
    place: "Example: Async Fallback (Email Notification)",
    quote: "// Late user responses will be delivered as user_message follow-ups",
    must: "A late answer runs no hook of the call that asked.",
  },
  "late-answer:queued-complete": {
    seed: "000",
    place: "Example: Async Fallback (Email Notification)",
    quote: "message: 'User notified via email. Response will arrive asynchronously.',",
    must: "A `complete` from `onTimeout` whose value has `pending: true` and `queued: true` keeps the prompt open for a late answer, as `pending` does.",
  },

  // first-wins: everybody sees the prompt, one answer counts
  "first-wins:all-told": {
    seed: "000",
    place: "Multiple Clients (First Response Wins)",
    quote: "Interaction requests are broadcast to all connected clients via `chat_event` messages.",
    must: "Every client that subscribes to the session gets the same `interaction_request` and later the same `interaction_response`.",
  },
  "first-wins:one-winner": {
    seed: "000",
    place: "Multiple Clients (First Response Wins)",
    quote: "server processes that response",
    must: "Of several answers the first one stored wins: one `interaction_response`, one run of the hook, and the others are refused with `already_answered` and the winner's response.",
  },
  "first-wins:stale": {
    seed: "000",
    place: "ChatEvent: `interaction_response`",
    quote: "(ignore stale responses)",
    must: "An answer to a prompt whose call has a newer one open is refused with `stale_interaction` and the newer one's id, and the newer one stays open.",
  },

  // approvals: a person's yes, and what is remembered of it
  "approvals:gate": {
    seed: "000",
    place: "Overview",
    quote: "can pause and request user approval before proceeding",
    must: "The work behind an approval runs only after a person approved it.",
  },
  "approvals:denied": {
    seed: "000",
    place: "Example: Tool with Approval Logic",
    quote: "return { complete: { ok: false, denied: true, reason: response.reason } };",
    must: "A denial with its reason reaches the hook; what the hook returns is the result, and the `tool_result` is no error.",
  },
  "approvals:offered-scopes": {
    seed: "000",
    place: "ToolContext Addition",
    quote: "which scopes to offer in the UI (default: ['once','session'])",
    must: "The event lists the scopes that the tool offers, `once` and `session` if it names none, and any other is refused with `invalid_response`.",
  },
  "approvals:default-once": {
    seed: "000",
    place: "Client → Server: `tool_interaction_response`",
    quote: "approvalScope?: 'once' | 'session' | 'always';",
    must: "An approval that is sent with neither a scope nor an option means `once`, and nothing wider can be remembered of it.",
  },
  "approvals:remembered": {
    seed: "000",
    place: "Example: Tool with Approval Logic",
    quote: "// Cache approval if user chose session/always scope",
    must: "A remembered approval spares later calls the prompt: `session` in that session only, `always` in every session.",
  },
  "approvals:once": {
    seed: "000",
    place: "ToolContext Addition",
    quote: "Promise<'once' | 'session' | 'always' | null>;",
    must: "`approvals.get` gives the remembered scope, or null if there is none; a `once` grant is claimed by the call that gets it, and any other call gets null.",
  },
  "approvals:tool-keys": {
    seed: "000",
    place: "Core Concept: Hook-Based Interaction",
    quote: "Tool defines how approvals are keyed (per tool, per arg set, etc.)",
    must: "A remembered approval covers the key that its tool gave it and no other, and no other tool can read it.",
  },
  "approvals:no-wider": {
    seed: "000",
    place: "ToolContext Addition",
    quote:
      "set(key: string, scope: 'once' | 'session' | 'always', sessionId?: string): Promise<void>;",
    must: "`approvals.set` works only inside the `onResponse` of an approval, and for no wider scope than the person chose.",
  },
  "approvals:clear-session": {
    seed: "000",
    place: "ToolContext Addition",
    quote: "clearSession(sessionId: string): Promise<void>;",
    must: "`approvals.clearSession` forgets what was remembered for that session.",
  },
  "approvals:tool-may-ignore": {
    seed: "000",
    place: "Tool Handler Execution Context",
    quote: "is an optional helper for common approval storage (tools can ignore it)",
    must: "`ctx.approvals` is there in every call, and an approval that the tool does not store is not remembered, whatever scope was chosen.",
  },

  // cancel: the run ends while a person is being asked
  "cancel:on-cancel": {
    seed: "000",
    place: "Abort Handling",
    quote: "If chat run is cancelled, `onCancel` is invoked if provided",
    must: "Cancelling the turn of a waiting call runs its `onCancel` once and neither `onResponse` nor `onTimeout`.",
  },
  "cancel:handler-ends": {
    seed: "000",
    place: "Abort Handling",
    quote: "Pending interaction is rejected, tool handler terminates",
    must: "Cancelling a turn closes its open prompts as `cancelled`, gives its calls a `tool_result` with `tool_cancelled` and then ends it; what a handler returns later is dropped.",
  },
  "cancel:rejects": {
    seed: "000",
    place: "Abort Handling",
    quote: "Pending interaction is rejected",
    must: "Cancelling a turn aborts the `signal` of a handler that waits in it and makes its `requestInteraction` reject.",
  },
  "cancel:session-ended": {
    seed: "000",
    place: "Pending Interaction Registry",
    quote: "entry.reject(new Error('Session ended'));",
    must: "Deleting a session closes its open prompts as `cancelled` and stops its waiting calls; an answer after that gets 404.",
  },
  "cancel:own-session-only": {
    seed: "000",
    place: "Pending Interaction Registry",
    quote: "if (key.startsWith(",
    must: "Ending one session leaves the prompts of every other open, also of one whose id begins with the ended one's.",
  },

  // availability: is anybody there who can answer
  "availability:nobody": {
    seed: "000",
    place: "Client Availability & Opt-Out",
    quote: "throws a `ToolError('interaction_unavailable')` if no enabled client is available.",
    must: "When no person's client is there, nor was in the last 60 s, `requestInteraction` rejects with `interaction_unavailable` and no prompt is written; the tool may catch it, and if it does not, its call fails with that code.",
  },
  "availability:hello": {
    seed: "000",
    place: "Client Availability & Opt-Out",
    quote: "Clients advertise interactivity capability in `hello`:",
    must: "A client counts as there if its `hello` says that interaction is enabled, and one that says it is not, or nothing of it, does not; one that counts is enough, whatever the others say.",
  },
  "availability:people-only": {
    seed: "000",
    place: "Client Availability & Opt-Out",
    quote: "user has enabled interactive UI",
    must: "A machine's client never counts as there, whatever its `hello` says, and its answers are refused with `person_required`.",
  },
  "availability:toggle": {
    seed: "000",
    place: "Client Availability & Opt-Out",
    quote: "If a disabled client flips to enabled while a request is pending, it can respond",
    must: "`set_interaction_mode` takes effect at once: switched off, the client no longer counts as there; switched on, it can answer the prompt that is pending.",
  },
  "availability:context": {
    seed: "000",
    place: "Client Availability & Opt-Out",
    quote: "if (!ctx.interaction?.available) {",
    must: "`ctx.interaction` tells a tool before it asks whether somebody is there, and how many clients support interaction and have it enabled.",
  },
  "availability:disabled-client": {
    seed: "000",
    place: "Client Availability & Opt-Out",
    quote: "**Disabled clients** still receive the chat events,",
    must: "A client whose mode is off gets every event, re-prompts and completions too; its answers over the socket are refused with `interaction_disabled`.",
  },
  "availability:decided-once": {
    seed: "000",
    place: "Client Availability & Opt-Out",
    quote: "Reprompts are broadcast to all clients",
    must: "Whether somebody is there is decided once a call, at its first prompt: a re-prompt is asked also if everybody has left since.",
  },

  // events: what the log says of an interaction
  "events:stored-and-sent": {
    seed: "000",
    place: "Event Persistence",
    quote:
      "Interaction events are written to the EventStore (same as tool_call, tool_result, etc.)",
    must: "Every interaction event is in the session's log before a client gets it, as a `chat_event` frame that holds the stored event.",
  },
  "events:response-before-hook": {
    seed: "000",
    place: "Implementing requestInteraction with Hooks",
    quote: "// Emit interaction_response ChatEvent (broadcast + persisted)",
    must: "The `interaction_response`, with what the person sent, is stored and sent before the hook has ended.",
  },
  "events:unique-id": {
    seed: "000",
    place: "ChatEvent: `interaction_request`",
    quote: "Unique per prompt (reprompts are distinct)",
    must: "Each prompt, also each re-prompt, has a random id of its own: two of the same millisecond differ.",
  },
  "events:correlation": {
    seed: "000",
    place: "Event Persistence",
    quote: "Events include `turnId`, `responseId`, `toolCallId`, `interactionId` for correlation",
    must: "Interaction events name their tool call and prompt and, inside a turn, the turn and the model's response; for a call outside a turn the last two are absent.",
  },
  "events:self-contained": {
    seed: "000",
    place: "Multiple Clients (First Response Wins)",
    quote: "to render both the interactive state AND the completed state.",
    must: "A request's event says how it is shown while open and when completed: its `presentation`, `tool` if none was given, and its `completedView`.",
  },

  // replay: who comes later sees the same
  "replay:same-as-live": {
    seed: "000",
    place: "Chat Rendering & History Replay",
    quote: "Interaction events need to work with both real-time streaming AND history replay.",
    must: "A client that subscribes afterwards gets the very events, in the same order, that one got which was there all along.",
  },
  "replay:seq-order": {
    seed: "000",
    place: "Chat Rendering & History Replay",
    quote: "Timestamps ensure correct ordering when merging with other events",
    must: "Events carry ISO timestamps, but their order is `seq`, without gap or repeat, also if the clock jumps back.",
  },
  "replay:restart": {
    seed: "000",
    place: "Pending Interaction Registry",
    quote: "Tracks in-flight interaction requests:",
    must: "Open prompts are kept in the store, not in memory: after a restart each is still listed and can be answered.",
  },

  // pending-state: one explicit signal that somebody is being waited for
  "pending-state:before-request": {
    seed: "002",
    place: "Server Behavior",
    quote:
      "Emit `interaction_pending: true` immediately before broadcasting `interaction_request`.",
    must: "`interaction_pending` with `pending: true` is the event right before each `interaction_request`, of every type, re-prompts too.",
  },
  "pending-state:false-at-end": {
    seed: "002",
    place: "Server Behavior",
    quote: "Emit `interaction_pending: false` when the interaction resolves",
    must: "However a pending prompt ends (approve, deny, submit, cancel, timeout, a cancelled turn), `interaction_pending` with `pending: false` follows its end event.",
  },
  "pending-state:names-prompt": {
    seed: "002",
    place: "Open Questions",
    quote: "Should the pending event include the current `interactionId` for debugging",
    must: "`interaction_pending` names its tool call, its tool, its prompt and the prompt's `presentation`, so that several can be pending at once and be told apart.",
  },
  "pending-state:session-status": {
    seed: "002",
    place: "Client Behavior",
    quote: "status as idle (waiting for user input).",
    must: "A session's status is `waiting` as long as any of its prompts is pending, and then `running` or `idle` again.",
  },
  "pending-state:every-transport": {
    seed: "002",
    place: "Goals",
    quote:
      "Provide an explicit, transport-agnostic signal that an interaction is awaiting user input.",
    must: "`interaction_pending` is the same chat event over the WebSocket, the SSE stream and the events route.",
  },
  "pending-state:replay": {
    seed: "002",
    place: "Server Behavior",
    quote: "Include the event in history/event store so replay reconstructs the pending state.",
    must: "From the stored events alone one can tell which prompts are pending, and it is those that the live stream said.",
  },

  // errors: what goes wrong inside a tool is a tool error
  "errors:hook-throws": {
    seed: "000",
    place: "Open Questions",
    quote: "those are treated as tool errors (agent sees error result,",
    must: "A hook that throws after a response gives a `tool_result` with an error, its own code or `tool_error`, and the prompt stays answered, with no `interaction_closed`.",
  },
  "errors:timeout-hook-throws": {
    seed: "000",
    place: "Open Questions",
    quote: "Only unexpected failures (DB/API bugs) should throw;",
    must: "If `onTimeout` throws, the prompt ends as `timed_out` and the call with a tool error.",
  },

  // plugins: their operations ask like any tool
  "plugins:ask": {
    seed: "000",
    place: "Plugin Usage (No Manifest Changes Required)",
    quote: "Plugins can use `ctx.requestInteraction()` directly inside their handlers.",
    must: "An operation can ask through its `ctx`, and its manifest says nothing about it.",
  },
  "plugins:closure": {
    seed: "000",
    place: "Open Questions",
    quote: "The `onResponse` handler needs access to plugin state/services.",
    must: "A plugin that is a function is called once, and its hooks reach its state by closure.",
  },

  // ask-user: the built-in tool that only relays a question
  "ask-user:one-field": {
    seed: "000",
    place: "Example: Questionnaire Tool (Client-Only)",
    quote: "id: 'answer',",
    must: "`ask_user` shows a questionnaire with one required field `answer`, labelled with the question, of the given type or `text` (`select` where there are options), with the given options.",
  },
  "ask-user:result": {
    seed: "000",
    place: "Example: Questionnaire Tool (Client-Only)",
    quote: "return { complete: { ok: true, answer: response.input?.answer } };",
    must: "The result of `ask_user` is `{ ok: true, answer }`, or `{ ok: false, cancelled: true }` if the person cancelled.",
  },

  // page: what a client draws
  "page:tool-block": {
    seed: "000",
    place: "Chat Rendering & History Replay",
    quote: "Render inside the existing tool output block (output section)",
    must: "A prompt with presentation `tool` is drawn in its tool's block, and the tool's own result below its summary.",
  },
  "page:standalone-block": {
    seed: "000",
    place: "Chat Rendering & History Replay",
    quote: "Render as a standalone interaction block in the chat log (no tool block)",
    must: "A prompt with presentation `questionnaire` is drawn as a block of its own, without a tool block.",
  },
  "page:reprompt-in-place": {
    seed: "000",
    place: "Chat Rendering & History Replay",
    quote:
      "Reprompts replace the same UI surface (tool block output or standalone interaction block).",
    must: "A re-prompt takes the place of the prompt before it, shows its error, and has its `initialValues` filled in.",
  },
  "page:read-only": {
    seed: "000",
    place: "ChatEvent: `interaction_response`",
    quote: "Disable the interaction UI (no more editing/submitting)",
    must: "An answered prompt, live or replayed, shows what was submitted and can no longer be edited or sent.",
  },
  "page:own-prompt": {
    seed: "000",
    place: "ChatEvent: `interaction_response`",
    quote: "Match by `interactionId`",
    must: "An `interaction_response` ends the prompt that it names and no other: a re-prompt of the same call stays open to answer.",
  },
  "page:late-answer": {
    seed: "000",
    place: "3) Pending + Late Response",
    quote: "<-- user responds later ----|",
    must: "A prompt whose call has ended as queued can still be answered where it is shown.",
  },
  "page:answered-elsewhere": {
    seed: "000",
    place: "Multiple Clients (First Response Wins)",
    quote: "**Completed by another**",
    must: "A prompt that another client answered says so and shows what was chosen.",
  },
  "page:summary": {
    seed: "000",
    place: "Multiple Clients (First Response Wins)",
    quote: "summaryTemplate?: string;",
    must: "A completed prompt shows the summary that its `completedView` describes, and the submitted values if it says so.",
  },
  // In the seed a prompt takes the place of the tool's name. What an agent says never stands where
  // a fact stands, so here it is below the name, as its own words.
  "page:approval-card": {
    seed: "000",
    place: "Approval Dialog",
    quote: "{ label: 'Allow for session', action: 'approve', scope: 'session' },",
    must: "An approval asks to allow the tool by name, and shows its prompt, with Deny and one button for each scope offered.",
  },
  // In the seed a whole form pops out. Here it is one long answer that does; the form stays in place.
  "page:form": {
    seed: "000",
    place: "Input Form",
    quote: "fields: request.inputSchema?.fields ?? [],",
    must: "A form shows its fields inline, and a long answer also popped out to a larger dialog; submitting sends `submit` with the values, and cancelling sends `cancel`.",
  },
  "page:tool-error": {
    seed: "000",
    place: "Open Questions",
    quote: "user sees non-interactive error message",
    must: "When a call fails after an answer, the person sees the error and nothing to answer.",
  },
  "page:mode-off": {
    seed: "000",
    place: "Client Availability & Opt-Out",
    quote: "render the interaction as **read-only** (visible, non-interactive)",
    must: "With interactive mode off a prompt is shown read-only with a hint to enable it; a switch turns the mode on and off, and once it is on the prompt that is shown can be answered.",
  },
  "page:typing": {
    seed: "002",
    place: "Decisions",
    quote: "clients suppress typing if *any* pending interaction exists.",
    must: "The typing indicator is off while any prompt of the session is pending, as told by `interaction_pending` alone, and comes back after; meanwhile the session is shown as waiting.",
  },

  // view: where a client puts what it draws, and what it makes of events without a model's response
  "view:in-its-turn": {
    seed: "003",
    place: "1) Tool-Call Containers (Client-Side)",
    quote: "use the existing assistant response container (current behavior).",
    must: "A call that an agent makes in a turn is placed in that turn, between the texts before and after it.",
  },
  "view:anchored-on-call": {
    seed: "003",
    place: "1) Tool-Call Containers (Client-Side)",
    quote: "create a `tool-call-only` container under the current turn and",
    must: "A call whose events have no `responseId` and no `turnId` is placed too; its prompt and its result find it by `toolCallId`.",
  },
  "view:grouped": {
    seed: "003",
    place: "1) Tool-Call Containers (Client-Side)",
    quote:
      "Tool blocks are appended to the tool-call container via the existing tool-call grouping logic.",
    must: "Calls of a turn that follow each other without anything between them share one block.",
  },
  "view:outside-questionnaire": {
    seed: "003",
    place: "2) Interaction Rendering (Questionnaire + Approval)",
    quote:
      "Without `responseId`: render as a standalone interaction in the tool-call container for the",
    must: "A questionnaire of a call from outside stands by itself where that call was placed.",
  },
  "view:outside-approval": {
    seed: "003",
    place: "2) Interaction Rendering (Questionnaire + Approval)",
    quote:
      "Because tool blocks now render without `responseId`, approvals work for CLI/HTTP tool calls",
    must: "An approval of a call from outside is in that call's block, as for a call of an agent.",
  },
  "view:reprompt-replaces": {
    seed: "003",
    place: "2) Interaction Rendering (Questionnaire + Approval)",
    quote: "Reprompt replaces the prior interaction element for that tool call (unchanged).",
    must: "A re-prompt is shown by the block of the prompt before it, which counts as replaced.",
  },
  "view:fallback-turn": {
    seed: "003",
    place: "3) Ordering and Replay",
    quote:
      "If `turnId` is missing, a deterministic fallback (event id) is used to create a turn container.",
    must: "What belongs to no turn gets one that is named after its first event, so that it has the same name in every client.",
  },
  "view:event-order": {
    seed: "003",
    place: "3) Ordering and Replay",
    quote:
      "Tool-call containers are inserted at the point the event is processed, preserving event order",
    must: "Live and replayed logs give equal views whenever nothing is streaming, wherever the log is cut into pages.",
  },
  "view:ungrouped": {
    seed: "003",
    place: "3) Ordering and Replay",
    quote:
      "they are ungrouped (or prevent grouping) so the interaction stays visually distinct and does",
    must: "A call that asks stands in a block of its own, also if it shared one before it asked, and calls after it do not join it.",
  },
  "view:placeholder": {
    seed: "003",
    place: "3) Ordering and Replay",
    quote:
      "If an approval interaction arrives during replay without a matching `tool_call`, a placeholder",
    must: "An approval whose `tool_call` was not read gets a placeholder block, so that it can be answered.",
  },
  "view:no-placeholder": {
    seed: "003",
    place: "3) Ordering and Replay",
    quote:
      "Questionnaire tool results do **not** create placeholder tool blocks; questionnaires remain",
    must: "The result of a call that asked by questionnaire adds no block, also if its `tool_call` was not read.",
  },
  "view:failed-call": {
    seed: "003",
    place: "3a) Failure + Pending Interaction Handling",
    quote:
      "If a tool call fails while an approval/questionnaire is pending, the interaction is marked",
    must: "When a call fails while its prompt is open, the prompt is closed and can no longer be answered.",
  },
  "view:typing-cleared": {
    seed: "003",
    place: "3a) Failure + Pending Interaction Handling",
    quote: "Pending-interaction typing suppression is cleared when the tool finishes or fails.",
    must: "When a call has ended nothing of it is pending, and typing is shown again if the turn goes on.",
  },
  "view:same-look": {
    seed: "003",
    place: "Goals",
    quote: "Keep the same UI/UX for tool approvals and questionnaires as built-in agents.",
    must: "Prompts of calls from outside look and work like those of an agent's calls.",
  },
  "view:waiting-block": {
    seed: "003",
    place: "Open Questions",
    quote: "status on tool blocks when a questionnaire is pending?",
    must: "A block whose prompt is pending says that it waits for an answer.",
  },

  // card: what people see of a question or an approval, and what their answer becomes
  "card:tool-status": {
    seed: "004",
    place: "3.1a: Extend ToolCallState in `use-chat-session.ts`",
    quote: "status: 'pending' | 'running' | 'complete' | 'error';",
    must: "Each tool call of a message says whether it is pending, running, complete or an error.",
  },
  "card:question-entry": {
    seed: "004",
    place: "3.1b: Add event handlers in handleStreamEvent()",
    quote: "creates a tool call entry with `interactiveType: 'question'` and `questions` populated",
    must: "A call that asks questions has `interactiveType: 'question'` and the questions; one that asks by form has `'form'`.",
  },
  "card:approval-entry": {
    seed: "004",
    place: "3.1b: Add event handlers in handleStreamEvent()",
    quote: "`approval_required` event creates a tool call entry with `interactiveType: 'approval'`",
    must: "A call that asks for approval has `interactiveType: 'approval'`.",
  },
  "card:by-kind": {
    seed: "004",
    place: "3.1c: Update MessageItem to accept sessionId and render interactive components",
    quote:
      "conditionally renders `QuestionPrompt` for question type, `ToolApproval` for approval type",
    must: "Questions, approvals, forms and plain calls each get their own card.",
  },
  // Several questions are steps: the chips of all stand above the one that is on screen. The header
  // of a question that is alone names the card, unless a prompt does.
  "card:chips": {
    seed: "004",
    place: "Task 4.1: Build QuestionPrompt component",
    quote: "Component renders questions with headers as chips",
    must: "Each question shows its header, as a chip where something else names the card, and its text.",
  },
  "card:options": {
    seed: "004",
    place: "Task 4.1: Build QuestionPrompt component",
    quote: "Each option shows `label` prominently and `description` as muted subtext",
    must: "Each option shows its label and its description.",
  },
  "card:single-and-multi": {
    seed: "004",
    place: "Task 4.1: Build QuestionPrompt component",
    quote: "Radio buttons for single-select, checkboxes for multi-select",
    must: "One choice is made with radio buttons, several with checkboxes.",
  },
  "card:other": {
    seed: "004",
    place: "Task 4.1: Build QuestionPrompt component",
    quote: "free-text option always present for each question",
    must: "Every question offers Other with a free text.",
  },
  // The seed wants a selection; the wire contract wants an answer to every question.
  "card:all-answered": {
    seed: "004",
    place: "Task 4.1: Build QuestionPrompt component",
    quote: "Submit button disabled when no selection made",
    must: "Submit works only when every question has an answer.",
  },
  "card:answers": {
    seed: "004",
    place: "Task 4.1: Build QuestionPrompt component",
    quote: "Collect answers as `Record<string, string>` mapping question indices",
    must: "Answers are sent through `submitAnswers`, by the index of the question: the label, the free text for Other.",
  },
  "card:several-answers": {
    seed: "004",
    place: "Task 4.1: Build QuestionPrompt component",
    quote: "For multi-select questions, the value is a JSON-serialized array of selected labels",
    must: "Several choices are sent as a JSON array of labels, in which a free text is one more entry.",
  },
  "card:submitting": {
    seed: "004",
    place: "Task 4.1: Build QuestionPrompt component",
    quote: "Disabled inputs, loading indicator on submit button",
    must: "While an answer is on its way nothing can be changed or sent again, and the card says so.",
  },
  "card:collapses": {
    seed: "004",
    place: "Task 4.1: Build QuestionPrompt component",
    quote: "Collapses to compact summary after submission",
    must: "An answered card is a short summary of what was chosen.",
  },
  // Done is what was answered or allowed; what was refused is neither. Around a card in a tool's
  // block the block is amber, and says so.
  "card:colours": {
    seed: "004",
    place: "Task 4.1: Build QuestionPrompt component",
    quote: "Amber styling when pending, emerald when submitted",
    must: "A card is amber while it waits and emerald when it is answered or allowed, and never tells it by colour alone.",
  },
  "card:failed-send": {
    seed: "004",
    place: "Task 4.1: Build QuestionPrompt component",
    quote: "Handle submission errors gracefully (show error text, re-enable form)",
    must: "When sending fails the card says so, keeps what was chosen and can be sent again.",
  },
  "card:any-transport": {
    seed: "004",
    place: "Task 4.1: Build QuestionPrompt component",
    quote: "Uses `useTransport()` hook for `submitAnswers` call",
    must: "A card reaches the server through whatever transport is provided to it.",
  },
  // gateway: an agent of the Claude SDK asks in the middle of its turn, and clients hear it as a stream
  "gateway:answers-injected": {
    seed: "001",
    place: "Overview",
    quote: "The user picks answers, which are injected back into the tool's input before the SDK",
    must: "What a person answers to Claude's questions is in the tool's input when the SDK goes on.",
  },
  "gateway:call-pauses": {
    seed: "001",
    place: "Overview",
    quote: "every tool call pauses for the user to approve or deny execution.",
    must: "What the SDK asks about in mode `default` runs only after a person has approved it.",
  },
  "gateway:told-while-blocked": {
    seed: "001",
    place: "Key Mechanism: Promise.race",
    quote: "yielded to the client even while the SDK is blocked waiting for the deferred promise.",
    must: "Whoever follows a turn by its stream is told of its prompt while the agent waits for the answer.",
  },
  "gateway:approval-required": {
    seed: "001",
    place: "Tool Approval",
    quote: "input: JSON.stringify(input),",
    must: "In the stream an approval is `approval_required` with the call, the tool and its input as JSON text.",
  },
  "gateway:question-prompt": {
    seed: "001",
    place: "AskUserQuestion",
    quote: "type: 'question_prompt',",
    must: "In the stream questions are `question_prompt` with the call and the questions.",
  },
  "gateway:answer-routes": {
    seed: "001",
    place: "Data Flow",
    quote: "POST to /api/sessions/:id/submit-answers (or /approve, /deny)",
    must: "A call's open prompt is answered by `submit-answers`, `approve` or `deny` of its session with the call's id, and the reply is 200 `{ ok: true }`.",
  },
  "gateway:answers-by-index": {
    seed: "001",
    place: "Route Tests",
    quote: ".send({ toolCallId: 'tc-1', answers: { '0': 'Option A' } });",
    must: "`submit-answers` takes the answers by the index of their question.",
  },
  "gateway:nothing-pending": {
    seed: "001",
    place: "Step 4: Add route (HttpTransport only)",
    quote: "if (!ok) return res.status(404).json({ error: 'No pending interaction' });",
    must: "A call that never had a prompt of that kind is answered with 404 `no_pending_interaction`.",
  },
  "gateway:denied": {
    seed: "001",
    place: "Tool Approval",
    quote: "{ behavior: 'deny', message: 'User denied tool execution' }",
    must: "After a person's no the tool does not run, and the model reads that the user denied it, with the reason if one was given.",
  },
  // The wire contract: no deadline unless one is set, and a timeout is never a person's decision.
  "gateway:timed-out": {
    seed: "001",
    place: "Timeout Handling",
    quote: "If the user does not respond, the timeout fires, removes the interaction from",
    must: "When a deadline that was set is over, the tool does not run and the model reads that nobody answered, not that a person denied.",
  },
  "gateway:several-at-once": {
    seed: "001",
    place: "Deferred Promise Pattern",
    quote: "Multiple can be pending simultaneously if the SDK calls `canUseTool` concurrently.",
    must: "Calls that the model makes at once are asked about side by side, and each is answered for itself.",
  },
  "gateway:same-cards": {
    seed: "001",
    place: "Transport Abstraction",
    quote:
      "Components use `useTransport()` to get the current transport and never know which adapter is",
    must: "The same cards work over every transport.",
  },
  "gateway:card-collapses": {
    seed: "001",
    place: "Step 6: Build UI component",
    quote: 'Shows a collapsed "completed" state after submission',
    must: "After its answer a card is a short summary.",
  },
  "gateway:other": {
    seed: "001",
    place: "AskUserQuestion",
    quote: 'plus an "Other" free-text option.',
    must: "Beside the options of every question there is a free text.",
  },
  "gateway:approval-shows": {
    seed: "001",
    place: "Tool Approval",
    quote: "`ToolApproval` shows the tool name, pretty-printed input JSON, and two buttons.",
    must: "An approval shows what it is about and all of the tool's input, with a yes and a no.",
  },
  "gateway:withdrawn": {
    seed: "001",
    place: "Step 2: Add handler in `agent-manager.ts`",
    quote: "resolve({ behavior: 'deny', message: 'Cancelled' });",
    must: "When a prompt of Claude's is withdrawn the tool does not run, and the model reads that it was withdrawn, not that a person denied.",
  },
  "gateway:any-tool": {
    seed: "001",
    place: "Overview",
    quote:
      "Any new tool that requires user interaction mid-stream can follow the same architecture.",
    must: "Any tool can ask in the middle of a turn; in the stream its form is `input_required`.",
  },
  "gateway:stream-ends": {
    seed: "001",
    place: "Step 1: Add event type to `types.ts`",
    quote: "| ErrorEvent | DoneEvent | SessionStatusEvent;",
    must: "The stream of a turn tells its text piece by piece, and ends with `done`.",
  },
} as const satisfies Record<string, Requirement>;

export type RequirementId = keyof typeof requirements;
