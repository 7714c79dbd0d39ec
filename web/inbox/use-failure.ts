import { useEffect, useState } from "react";
import { useTransport } from "../../src/react/index.ts";
import type { ChatEvent, InteractionRecord, TransientEvent } from "../../src/protocol/index.ts";
import { toCommandResult } from "../tools/command-result.ts";
import { exitWords } from "../tools/exit-words.ts";

interface Failure {
  code: string;
  message: string;
}

/** A call that ended between an answer and the moment its log is read lies this far back at most. */
const LOOK_BACK = 200;

/**
 * How the call of an answered prompt failed. In a conversation the tool's block tells that; here the
 * card is all there is. The session's log is followed until the call has ended.
 */
export function useFailure({ sessionId, toolCallId, ...prompt }: InteractionRecord) {
  const transport = useTransport();
  const [failure, setFailure] = useState<Failure>();
  const action = prompt.status === "answered" ? prompt.response?.action : undefined;
  const isYes = action === "approve" || action === "submit";
  // What a program asks inside a call has no part in how that call ends.
  const isFollowed = isYes && !prompt.request.anchored;
  useEffect(() => {
    if (!isFollowed) return undefined;
    const stop = transport.subscribe(
      sessionId,
      { tail: LOOK_BACK },
      {
        started: () => {},
        failed: () => {},
        event(event) {
          if (event.type !== "tool_result" || event.payload.toolCallId !== toolCallId) return;
          setFailure(failureOf(event));
          stop();
        },
      },
    );
    return stop;
  }, [transport, sessionId, toolCallId, isFollowed]);
  return failure;
}

function failureOf({ payload }: Extract<ChatEvent | TransientEvent, { type: "tool_result" }>) {
  if (payload.error) return payload.error;
  const exitCode = toCommandResult(payload.result)?.exitCode ?? 0;
  return exitCode === 0 ? undefined : { code: "exit_code", message: exitWords(exitCode) };
}
