import { lazy, Suspense } from "react";

const load = () => import("./markdown.tsx").then(({ Markdown }) => ({ default: Markdown }));
const Parsed = lazy(load);

/** Until what reads markdown is there, a moment after the page, the text stands as it is. */
export function Markdown(props: { text: string; streaming?: boolean }) {
  return (
    <Suspense fallback={<div className="prose whitespace-pre-wrap">{props.text}</div>}>
      <Parsed {...props} />
    </Suspense>
  );
}
