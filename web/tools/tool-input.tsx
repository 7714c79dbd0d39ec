import { useMemo } from "react";
import { toInputParts, type ToolCallView } from "../../src/client/index.ts";
import { DiffView } from "../../src/react/index.ts";
import { Labelled, Source } from "./source.tsx";

/** What a tool was given, in the form that tells most: a command, a change, or JSON. */
export function ToolInput({ call: { input, placeholder } }: { call: ToolCallView }) {
  const parts = useMemo(() => toInputParts(input), [input]);
  if (placeholder) return null;
  return parts.map((part, at) => (
    <Labelled key={at} label={part.label}>
      {"change" in part ? (
        <DiffView change={part.change} />
      ) : (
        <Source
          text={part.text}
          what={part.label.toLowerCase()}
          prompt={part.label === "Command"}
        />
      )}
    </Labelled>
  ));
}
