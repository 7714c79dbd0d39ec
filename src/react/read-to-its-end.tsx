import type { CardModel } from "./use-card.ts";

/** Leads to the end of an input that is longer than what is seen of it. */
export function ReadToItsEnd({ card }: { card: CardModel }) {
  return (
    <p className="bk-notice">
      There is more below.{" "}
      <button
        type="button"
        onClick={() => {
          const box = card.ref.current?.querySelector<HTMLElement>(".bk-input");
          const row = card.ref.current?.querySelector<HTMLElement>(".bk-row");
          if (!box) return;
          for (const large of box.querySelectorAll<HTMLDetailsElement>("[data-beckon-large]"))
            large.open = true;
          box.scrollTop = box.scrollHeight;
          // Its end is to stand above the buttons, which stay where they are.
          box.style.scrollMarginBottom = `${row?.offsetHeight ?? 0}px`;
          box.scrollIntoView?.({ block: "end" });
        }}
      >
        Go to the end
      </button>
    </p>
  );
}
