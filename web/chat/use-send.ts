import { useRef, useState } from "react";
import { useTransport } from "../parts.ts";
import { useMessageDraft } from "./message-draft.ts";

/** Sends what is typed. A failed send keeps the text, and trying again cannot send it twice. */
export function useSend(sessionId: string, onSent: () => void) {
  const transport = useTransport();
  const [text, setText] = useMessageDraft(sessionId);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const attempt = useRef<{ text: string; messageId: string }>(undefined);

  const send = async (delivery?: "interrupt") => {
    if (busy || text.trim() === "") return;
    if (attempt.current?.text !== text) {
      attempt.current = { text, messageId: crypto.randomUUID() };
    }
    setBusy(true);
    try {
      await transport.sendMessage(sessionId, { ...attempt.current, delivery });
      attempt.current = undefined;
      setProblem(undefined);
      setText("");
      onSent();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  return { text, setText, send, busy, problem };
}
