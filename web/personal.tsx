import { createContext, type ReactNode, use, useEffect, useMemo, useRef } from "react";
import { createDrafts, type Drafts, newId } from "../src/client/index.ts";
import { useInbox } from "./shell/world.tsx";

/** The part of this browser's storage that belongs to one person: the next one does not see it. */
export function storageOf(personId: string): Storage {
  const own = `beckon:${encodeURIComponent(personId)}:`;
  const keys = () => Object.keys(localStorage).filter((key) => key.startsWith(own));
  return {
    get length() {
      return keys().length;
    },
    key: (at) => keys()[at]?.slice(own.length) ?? null,
    getItem: (key) => localStorage.getItem(own + key),
    setItem: (key, text) => localStorage.setItem(own + key, text),
    removeItem: (key) => localStorage.removeItem(own + key),
    clear: () => keys().forEach((key) => localStorage.removeItem(key)),
  };
}

/** Names this tab in what its person answers, also after a reload: that was no other device. */
export function clientIdOf(personId: string): string {
  const key = `beckon:${encodeURIComponent(personId)}:client`;
  try {
    const id = sessionStorage.getItem(key) ?? newId();
    sessionStorage.setItem(key, id);
    return id;
  } catch {
    return newId();
  }
}

/** The id of the person who is signed in. */
export const MyId = createContext<string | undefined>(undefined);

const DraftsContext = createContext<Drafts | null>(null);

/** What this person has begun to write; prompts that ended while they were away take theirs along. */
export function DraftsProvider({ storage, children }: { storage: Storage; children: ReactNode }) {
  const drafts = useMemo(() => createDrafts(storage), [storage]);
  const { interactions, ready } = useInbox();
  const tidied = useRef(false);
  useEffect(() => {
    // Once: what ends later was seen to end, and what was written stays readable in its card.
    if (!ready || tidied.current) return;
    tidied.current = true;
    drafts.keepOnly(interactions.map(({ id }) => id));
  }, [drafts, interactions, ready]);
  return <DraftsContext value={drafts}>{children}</DraftsContext>;
}

export function useDrafts(): Drafts {
  const drafts = use(DraftsContext);
  if (!drafts) throw new Error("Put a <DraftsProvider> around this.");
  return drafts;
}
