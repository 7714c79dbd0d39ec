import { type RefObject, useEffect, useRef } from "react";

/**
 * When the field for a message has the focus without being asked: on a page that has just opened,
 * after the last answer, and for words that are typed at a card. A fresh card takes the focus from it
 * while it is empty, as `data-beckon-yields` says.
 *
 * @returns takes the focus once a message is sent, unless a card that came meanwhile has it
 * @param touch a field that takes the focus would bring a keyboard up
 */
export function useMessageFocus(
  field: RefObject<HTMLTextAreaElement | null>,
  { touch, waits }: { touch: boolean; waits: boolean },
): () => void {
  useEffect(() => {
    if (!touch && document.activeElement === document.body) field.current?.focus();
  }, [field, touch]);

  /** Somebody has pressed something in a card: what ends by itself keeps the focus that it has. */
  const used = useRef(false);
  useEffect(() => {
    if (waits) return;
    if (used.current && !touch && cardAt(document.activeElement)) field.current?.focus();
    used.current = false;
  }, [field, touch, waits]);

  useEffect(() => {
    const onUse = (event: Event) => {
      const { target } = event;
      if (!(target instanceof Element) || !cardAt(target)) return;
      used.current = true;
      // Before the letter is typed, so that it lands in the message, and nothing later in the card.
      if (isLetter(event) && !isField(target)) field.current?.focus();
    };
    document.addEventListener("keydown", onUse);
    document.addEventListener("click", onUse);
    return () => {
      document.removeEventListener("keydown", onUse);
      document.removeEventListener("click", onUse);
    };
  }, [field]);

  return () => {
    if (!cardAt(document.activeElement)) field.current?.focus();
  };
}

const cardAt = (element: Element | null) => element?.closest("[data-beckon-card]");
const isField = (element: Element) => element.matches("input, textarea, select");

/** One that types something, and that no card has heard. */
function isLetter(event: Event): boolean {
  if (!(event instanceof KeyboardEvent) || event.defaultPrevented) return false;
  return /^\S$/u.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey;
}
