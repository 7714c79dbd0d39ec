import { useRef, useState } from "react";
import { LIMITS, newId } from "../../src/client/index.ts";
import { useTransport } from "../../src/react/index.ts";
import { useMessageDraft } from "./message-draft.ts";

/** Sends what is typed. A failed send keeps the text, and trying again cannot send it twice. */
export function useSend(sessionId: string, onSent: () => void) {
  const transport = useTransport();
  const [text, setDraft] = useMessageDraft(sessionId);
  const latest = useRef(text);
  const setText = (next: string) => {
    latest.current = next;
    setDraft(next);
  };
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const attempt = useRef<{ text: string; messageId: string }>(undefined);

  const send = async (delivery?: "steer" | "interrupt") => {
    if (busy || text.trim() === "") return;
    const size = new TextEncoder().encode(text).byteLength;
    if (size > LIMITS.jsonStringBytes) return setProblem(tooLong(size));
    if (attempt.current?.text !== text) {
      attempt.current = { text, messageId: newId() };
    }
    setBusy(true);
    try {
      await transport.sendMessage(sessionId, { ...attempt.current, delivery });
      attempt.current = undefined;
      setProblem(undefined);
      // What was typed while it was on its way is the next message.
      const typed = latest.current;
      setText(typed.startsWith(text) ? typed.slice(text.length) : typed);
      onSent();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  return { text, setText, send, busy, problem };
}

function tooLong(size: number): string {
  const most = LIMITS.jsonStringBytes / 1_024;
  const kilobytes = Math.ceil(size / 1_024);
  return `This message is too long: ${kilobytes} kB, and ${most} kB is the most. Shorten it, or put it into a file that the agent can read.`;
}
