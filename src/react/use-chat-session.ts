import { useMemo } from "react";
import {
  type ChatSession,
  type ChatSessionState,
  createChatSession,
  emptyView,
  newId,
} from "../client/index.ts";
import type { Delivery } from "../protocol/index.ts";
import { lazy } from "./lazy.ts";
import { type ChatMessage, toMessages } from "./to-messages.ts";
import { useTransport } from "./transport-context.tsx";
import { useLazy } from "./use-lists.ts";

/** One session as a component needs it: all of it, and what a person may do in it. */
export interface ChatSessionModel extends ChatSessionState {
  /** The view as a flat list, with the calls of tools and what they ask. */
  messages: ChatMessage[];
  /** Sends a message. The same `messageId` again counts once. */
  send(
    text: string,
    options?: { messageId?: string; delivery?: Delivery },
  ): Promise<{ messageId: string }>;
  /** Stops the turn that runs. */
  cancel(turnId?: string): Promise<{ stopped: boolean }>;
  /** Reads the page before the first event; at once if there is none. */
  loadOlder: () => Promise<void>;
}

/** Follows a session for as long as the component is there. */
export function useChatSession(sessionId: string): ChatSessionModel {
  const transport = useTransport();
  const source = useMemo(
    () =>
      lazy<ChatSessionState, ChatSession>(() => createChatSession(transport, sessionId), {
        status: "loading",
        view: emptyView(sessionId),
        hasOlder: false,
        isLoadingOlder: false,
      }),
    [transport, sessionId],
  );
  const state = useLazy(source);
  const messages = useMemo(() => toMessages(state.view), [state.view]);
  const actions = useMemo(
    () => ({
      send: (
        text: string,
        { messageId = newId(), delivery }: Parameters<ChatSessionModel["send"]>[1] = {},
      ) =>
        transport.sendMessage(sessionId, {
          text,
          messageId,
          ...(delivery === undefined ? {} : { delivery }),
        }),
      cancel: (turnId?: string) => transport.cancel(sessionId, turnId),
      loadOlder: async () => source.live()?.loadOlder(),
    }),
    [transport, sessionId, source],
  );
  return { ...state, messages, ...actions };
}
