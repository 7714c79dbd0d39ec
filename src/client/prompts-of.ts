import type { ChatView, InteractionView } from "./view.ts";

/**
 * The prompts that a call's own block shows, oldest first: those that belong inside it and that no
 * newer attempt has replaced. Nearly always one; a call may ask several things.
 */
export function promptsOf(view: ChatView, callId: string): InteractionView[] {
  const ids = view.calls.get(callId)?.interactionIds ?? [];
  return ids
    .flatMap((id) => view.interactions.get(id) ?? [])
    .filter((one) => one.request.presentation === "tool" && one.state !== "replaced");
}

/** The attempts that a prompt took the place of, oldest first: the answered steps on the way to it. */
export function earlierOf(view: ChatView, prompt: InteractionView): InteractionView[] {
  const before = prompt.replaces === undefined ? undefined : view.interactions.get(prompt.replaces);
  return before ? [...earlierOf(view, before), before] : [];
}
