import type { ToolCallView } from "../../src/client/index.ts";
import { visibleText } from "../parts.ts";
import { Labelled, Source } from "./source.tsx";
import { asRecord } from "./tool-input.tsx";

/** What a tool gave back; while it runs, what it has written so far. */
export function ToolOutput({ call }: { call: ToolCallView }) {
  if (call.error) {
    return (
      <Labelled label="Error">
        <p className="text-sm break-words text-danger">
          {visibleText(call.error.message)} <span className="opacity-80">({call.error.code})</span>
        </p>
      </Labelled>
    );
  }
  if (call.status === "running" || call.status === "waiting") {
    if (!call.output) return null;
    return (
      <Labelled label="Output so far">
        <Source text={call.output} what="output" />
      </Labelled>
    );
  }
  const result = asRecord(call.result);
  const { output, exitCode, note } = result ?? {};
  if (typeof output === "string") {
    const ended = typeof exitCode === "number" ? `Output, exit code ${exitCode}` : "Output";
    return (
      <Labelled label={ended}>
        {output === "" ? (
          <p className="text-sm text-soft">It wrote nothing.</p>
        ) : (
          <Source text={output} what="output" />
        )}
        {typeof note === "string" && <p className="mt-1 text-sm text-soft">{note}</p>}
      </Labelled>
    );
  }
  if (call.result === undefined || call.result === null) return null;
  const text = typeof call.result === "string" ? call.result : JSON.stringify(call.result, null, 2);
  return (
    <Labelled label="Result">
      <Source text={text} what="result" />
    </Labelled>
  );
}
