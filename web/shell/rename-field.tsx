import { useRef, useState } from "react";

/** Enter and leaving keep the new title, Escape the old one. */
export function RenameField(props: { title: string; onDone: (title?: string) => void }) {
  const [text, setText] = useState(props.title);
  const done = useRef(false);
  const finish = (result?: string) => {
    if (done.current) return;
    done.current = true;
    props.onDone(result);
  };
  return (
    <input
      className="input w-full"
      aria-label="New title"
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- it takes the place of what was pressed
      autoFocus
      maxLength={200}
      value={text}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => finish(text.trim())}
      onKeyDown={(event) => {
        if (event.key === "Enter" && !event.nativeEvent.isComposing) finish(text.trim());
        if (event.key === "Escape") finish();
      }}
    />
  );
}
