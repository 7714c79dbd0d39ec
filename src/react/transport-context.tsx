import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from "react";
import { createPromptDrafts, type PromptDrafts } from "../client/index.ts";
import type { Connection, Transport } from "../transport/index.ts";
import { preloadComponents } from "./load-on-demand.tsx";
import { LiveRegion } from "./live-region.tsx";

interface Beckon {
  transport: Transport;
  interactive: boolean;
  enable: (() => void) | undefined;
  markdown: ((text: string) => ReactNode) | undefined;
  drafts: PromptDrafts;
  /** What was typed and not sent, by the attempt that begins with it if the same is asked again. */
  carried: Map<string, object>;
}

const BeckonContext = createContext<Beckon | undefined>(undefined);

export interface TransportProviderProps {
  transport: Transport;
  /**
   * Whether people may answer here. Off: every card can be read and none answered. Given, the
   * transport is told; else the app tells it, and the cards by their own `interactive`.
   */
  interactive?: boolean;
  /** Switches the mode on. Given, a card that is only readable offers it as a button. */
  onEnable?: () => void;
  /** Draws Markdown, such as an agent's plan. Without it, it stands there as it was written. */
  markdown?: (text: string) => ReactNode;
  /**
   * Where half-written answers are kept, by the id of their prompt; `null` keeps none. Values of
   * secret fields are never put there.
   *
   * @default `localStorage`
   */
  storage?: Storage | null;
  children?: ReactNode;
}

/** Gives everything below it the line to the server, and one live region that outlives the cards. */
export function TransportProvider(props: TransportProviderProps) {
  const { transport, interactive, onEnable: enable, markdown, storage, children } = props;
  useEffect(() => {
    if (interactive !== undefined) transport.setInteractive(interactive);
  }, [transport, interactive]);
  useEffect(() => void preloadComponents(), []);
  const drafts = useMemo(() => openDrafts(storage), [storage]);
  const [carried] = useState(() => new Map<string, object>());
  const value = useMemo(
    () => ({
      transport,
      interactive: interactive ?? true,
      enable,
      markdown,
      drafts,
      carried,
    }),
    [transport, interactive, enable, markdown, drafts, carried],
  );
  return (
    <BeckonContext value={value}>
      <LiveRegion>{children}</LiveRegion>
    </BeckonContext>
  );
}

export function useBeckon(): Beckon {
  const value = useContext(BeckonContext);
  if (!value) throw new Error("Put a <TransportProvider> around it.");
  return value;
}

/** The line to the server that the provider above was given. */
export function useTransport(): Transport {
  return useBeckon().transport;
}

/** How the line stands, now and whenever that changes. */
export function useConnection(): Connection {
  const transport = useTransport();
  const [subscribe, read] = useMemo(() => connectionStore(transport), [transport]);
  return useSyncExternalStore(subscribe, read, read);
}

/** Keeps what it heard: a transport may describe an unchanged line with a new object each time. */
function connectionStore(transport: Transport) {
  let last = transport.connection();
  const subscribe = (changed: () => void) => {
    last = transport.connection();
    return transport.onConnection((connection) => {
      last = connection;
      changed();
    });
  };
  return [subscribe, () => last] as const;
}

const NO_DRAFTS: PromptDrafts = { get: () => undefined, set() {}, drop() {} };

/** A page may be refused its storage; then nothing is kept, and everything else works. */
function openDrafts(storage: Storage | null | undefined): PromptDrafts {
  try {
    const kept = storage === undefined ? globalThis.localStorage : storage;
    return kept ? createPromptDrafts(kept) : NO_DRAFTS;
  } catch {
    return NO_DRAFTS;
  }
}
