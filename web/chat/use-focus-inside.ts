import { type RefObject, useEffect, useState } from "react";

/**
 * The element inside another one that has the focus. When a press takes the focus away, that counts
 * only once the press is over: a page that moved under the pointer would lose the click.
 */
export function useFocusInside(outer: RefObject<HTMLElement | null>): Element | undefined {
  const [focused, setFocused] = useState<Element>();
  useEffect(() => {
    const listening = new AbortController();
    const options = { capture: true, signal: listening.signal };
    let isPressed = false;
    const look = () => {
      const { activeElement } = document;
      setFocused(outer.current?.contains(activeElement) ? (activeElement ?? undefined) : undefined);
    };
    const lookUnlessPressed = () => {
      if (!isPressed) setTimeout(look);
    };
    // A click comes after the pointer is up.
    const release = () =>
      setTimeout(() => {
        isPressed = false;
        look();
      });
    addEventListener("pointerdown", () => (isPressed = true), options);
    addEventListener("pointerup", release, options);
    addEventListener("pointercancel", release, options);
    addEventListener("focusin", lookUnlessPressed, options);
    addEventListener("focusout", lookUnlessPressed, options);
    look();
    return () => listening.abort();
  }, [outer]);
  return focused;
}
