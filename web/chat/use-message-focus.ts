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

  const waited = useRef(waits);
  useEffect(() => {
    const isAnswered = waited.current && !waits;
    waited.current = waits;
    if (isAnswered && !touch && cardAt(document.activeElement)) field.current?.focus();
  }, [field, touch, waits]);

  useEffect(() => {
    // Before the letter is typed, so that it lands in the message, and nothing later in the card.
    const onKeyDown = (event: KeyboardEvent) => {
      const { target } = event;
      if (isLetter(event) && target instanceof Element && cardAt(target) && !isField(target))
        field.current?.focus();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [field]);

  return () => {
    if (!cardAt(document.activeElement)) field.current?.focus();
  };
}

const cardAt = (element: Element | null) => element?.closest("[data-beckon-card]");
const isField = (element: Element) => element.matches("input, textarea, select");

/** One that types something, and that no card has heard. */
function isLetter({ key, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): boolean {
  return /^\S$/u.test(key) && !ctrlKey && !metaKey && !altKey && !defaultPrevented;
}
