/** So many prompts have a notification of their own; those beyond share one. */
const MOST = 3;
/** Within this long, so many come up, and one for the rest. */
const WINDOW_MS = 10_000;
/** How often what stands on the screen for many may come up again for more. */
const AGAIN_MS = 60_000;
const BETWEEN_RINGS_MS = 10_000;

/** What a person was told, and has neither answered nor put away. */
interface Told {
  /** How many prompts have a notification of their own. */
  alone: number;
  /** Whether one notification stands for many prompts. */
  together: boolean;
  /** When something came up before, oldest first. */
  alerts: readonly number[];
  rangAt: number;
}

type Step =
  | { how: "alone" | "together"; alert: boolean; ring: boolean }
  | { how: "later"; inMs: number };

/** How to tell of `fresh` more prompts, so that no program can call without end. */
export function nextStep(told: Told, fresh: number, now: number): Step {
  const step = (how: "alone" | "together", alert: boolean): Step => ({
    how,
    alert,
    ring: alert && now - told.rangAt >= BETWEEN_RINGS_MS,
  });
  if (told.together) return step("together", now - (told.alerts.at(-1) ?? 0) >= AGAIN_MS);
  const lately = latelyOf(told.alerts, now);
  if (Math.max(told.alone, lately.length) + fresh <= MOST) return step("alone", true);
  if (lately.length <= MOST) return step("together", true);
  return { how: "later", inMs: lately[lately.length - MOST - 1]! + WINDOW_MS - now };
}

/** The alerts to remember after `more` at this moment. */
export function withAlerts(alerts: readonly number[], more: number, now: number): number[] {
  return [...latelyOf(alerts, now), ...Array.from({ length: more }, () => now)];
}

function latelyOf(alerts: readonly number[], now: number): number[] {
  return alerts.filter((at) => now - at < WINDOW_MS);
}
