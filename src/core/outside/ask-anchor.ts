import { ProtocolError } from "../../protocol/index.ts";
import { shownIn } from "../call/anchored.ts";
import type { Core } from "../api.ts";
import { askerOfPrompt } from "./asker-words.ts";
import type { CallRow, Write, Who } from "../ports.ts";
import { findAnchor, type RendezvousPorts } from "./rendezvous.ts";
import { findSession } from "../session/sessions.ts";

type Given = Parameters<Core["ask"]>[1];

/**
 * The running call that a prompt from outside belongs to: the one that is named; else the one that
 * runs the asker, if that is known.
 */
export async function findAskAnchor(
  ports: RendezvousPorts,
  who: Who,
  sessionId: string,
  { toolCallId, caller, prompt }: Given,
): Promise<string | undefined> {
  const session = await findSession(ports, who, sessionId);
  if (toolCallId === undefined) {
    const asker = caller && (() => askerOfPrompt(caller.command, prompt));
    return findAnchor(ports, who, session, { hint: caller, asker, prompt: prompt.prompt });
  }
  const call = await ports.store.call(sessionId, toolCallId);
  if (call && call.status !== "running") throw hasEnded(call.id);
  return call ? shownIn(call) : undefined;
}

/** The call of that id, unless it has ended meanwhile: who named it is told, others stand alone. */
export async function readAnchor(
  ports: RendezvousPorts,
  sessionId: string,
  anchorId: string | undefined,
  named: boolean,
): Promise<CallRow | undefined> {
  const call = anchorId === undefined ? null : await ports.store.call(sessionId, anchorId);
  if (call?.status === "running") return call;
  if (call && named) throw hasEnded(call.id);
  return undefined;
}

/** Whoever ends the call at this moment looks again at what there is to end with it. */
export function touchCall({ sessionId, id, version }: CallRow): Write {
  return { table: "tool_calls", id: [sessionId, id], ifVersion: version, set: {} };
}

/** The call as a prompt shows it that is asked there: it may be about something else. */
export function shownAt(anchor: CallRow, { toolName, toolInput }: Given): CallRow {
  return {
    ...anchor,
    nativeId: null,
    parentCallId: anchor.id,
    tool: toolName ?? anchor.tool,
    input: toolInput ?? {},
    effectiveInput: null,
  };
}

function hasEnded(id: string): ProtocolError {
  const message = `The call "${id}" has ended. Ask with an id of its own, or with none.`;
  return new ProtocolError("invalid_request", message, { issues: [{ path: "", message }] });
}
