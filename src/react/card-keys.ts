import type { KeyboardEvent } from "react";

/**
 * The keys of a card: 1–9 choose, Ctrl or Cmd with Enter sends, Esc leaves a text field. None of
 * them is heard outside the card, and Enter by itself is left to the element that has the focus. On
 * a button that decides, or takes something back, Ctrl+Enter presses that button: on one that says
 * no it never says yes. A digit chooses nothing in a fresh card: it was typed for something else.
 */
export function onCardKey(event: KeyboardEvent<HTMLElement>, send: () => void): void {
  const { target, currentTarget: card } = event;
  if (!(target instanceof HTMLElement) || event.nativeEvent.isComposing) return;
  // A larger window over the card is left by its own keys.
  if (event.defaultPrevented || target.closest("dialog")) return;
  if (event.key === "Enter" && event.repeat && !isTextField(target)) {
    // A key that is held down was meant for what had the focus when it was pressed.
    event.preventDefault();
  } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    if (event.repeat) return;
    const decision = decisionAt(target);
    if (decision) decision.click();
    else send();
  } else if (event.key === "Escape" && isTextField(target)) {
    event.preventDefault();
    event.stopPropagation();
    card.focus();
  } else if (/^[1-9]$/.test(event.key) && !hasModifier(event) && !isTextField(target)) {
    if (choose(card, target, Number(event.key))) event.preventDefault();
  }
}

/** The button that decides, or takes back what was begun, if that is where the focus is. */
export function decisionAt(target: Element): HTMLElement | null {
  return target.closest<HTMLElement>("button[data-decision]");
}

/** Somebody types there, so keys and focus are theirs. */
export function isTextField(element: Element | null): boolean {
  return (
    element instanceof HTMLElement && (element.isContentEditable || element.matches(TEXT_FIELD))
  );
}

const TEXT_FIELD = "textarea,select,input:not([type=radio],[type=checkbox],[type=button])";

/** Ticks the option; a button that decides only gets the focus, and Enter presses it. */
function choose(card: HTMLElement, target: HTMLElement, number: number): boolean {
  const group = target.closest("[data-beckon-options]") ?? groupToAnswer(card);
  const option = group?.querySelectorAll<HTMLElement>("[data-beckon-option]")[number - 1];
  if (!option || option.matches("[data-fresh] *, :disabled")) return false;
  if (option.matches("input")) option.click();
  // More than one may be ticked: the next digit belongs to the same question.
  if (!option.matches("[type=radio]")) option.focus();
  return true;
}

function groupToAnswer(card: HTMLElement): Element | undefined {
  const groups = [...card.querySelectorAll("[data-beckon-options]")];
  const open = groups.find((group) => !group.querySelector(":checked"));
  return open ?? (groups.length === 1 ? groups[0] : undefined);
}

export function hasModifier(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey;
}
