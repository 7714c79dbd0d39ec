import type { ToolCallView } from "../../src/client/index.ts";
import { asRecord } from "./as-record.ts";
import { DiffView } from "./diff-view.tsx";
import { Labelled, Source } from "./source.tsx";

/** What a tool was given, in the form that tells most: a command, a change, or JSON. */
export function ToolInput({ call }: { call: ToolCallView }) {
  const input = asRecord(call.input);
  if (call.placeholder || Object.keys(input ?? {}).length === 0) return null;
  const { command, cwd, diff, patch, old_string: before, new_string: after } = input ?? {};
  if (typeof command === "string") {
    return (
      <Labelled label={typeof cwd === "string" ? `Command in ${cwd}` : "Command"}>
        <Source text={command} what="command" prompt />
      </Labelled>
    );
  }
  if (typeof before === "string" && typeof after === "string") {
    return (
      <Labelled label={`Change in ${fileOf(input)}`}>
        <DiffView before={before} after={after} />
      </Labelled>
    );
  }
  const change = typeof diff === "string" ? diff : patch;
  if (typeof change === "string") {
    return (
      <Labelled label="Change">
        <DiffView patch={change} />
      </Labelled>
    );
  }
  return (
    <Labelled label="Input">
      <Source text={JSON.stringify(call.input, null, 2) ?? "nothing"} what="input" />
    </Labelled>
  );
}

function fileOf(input: Record<string, unknown> | undefined): string {
  const named = [input?.["file_path"], input?.["path"]].find((one) => typeof one === "string");
  return typeof named === "string" ? named : "a file";
}
