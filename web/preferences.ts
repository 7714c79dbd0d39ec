import { useSyncExternalStore } from "react";

/** What this browser remembers about how its person likes the page. Nothing secret. */
export interface Preferences {
  theme: "system" | "light" | "dark";
  /** Whether this page may answer, and so whether its person counts as there. */
  interactive: boolean;
  notify: boolean;
  sound: boolean;
}

export const NOT_INTERACTIVE = "You only watch here, and agents do not count on you.";

const KEY = "beckon:preferences";
const DEFAULTS: Preferences = { theme: "system", interactive: true, notify: false, sound: false };
const listeners = new Set<() => void>();
let current = load();

function load(): Preferences {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return { ...DEFAULTS, ...(stored as Partial<Preferences>) };
  } catch {
    return DEFAULTS;
  }
}

// What is chosen in one tab holds in the others too.
addEventListener("storage", ({ key }) => {
  if (key !== KEY) return;
  current = load();
  applyTheme();
  for (const listener of listeners) listener();
});

export function getPreferences(): Preferences {
  return current;
}

export function setPreferences(change: Partial<Preferences>): void {
  current = { ...current, ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // A browser that keeps nothing still shows what was chosen until it is closed.
  }
  applyTheme();
  for (const listener of listeners) listener();
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, getPreferences);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function applyTheme(): void {
  const root = document.documentElement;
  if (current.theme === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = current.theme;
}
