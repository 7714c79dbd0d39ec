import { type CallEnd, type ToolCallView, visibleText } from "../../src/client/index.ts";
import { type CommandResult, commandResultOf } from "./command-result.ts";
import { type ContentPart, toContentParts } from "./content-parts.ts";
import { exitWords } from "./exit-words.ts";
import { Labelled, Source } from "./source.tsx";

interface ToolOutputProps {
  call: ToolCallView;
  end: CallEnd | undefined;
  /** Its prompt stands above, and says what a person did. */
  asked: boolean;
}

/** What a tool gave back; while it runs, what it has written so far. */
export function ToolOutput({ call, end, asked }: ToolOutputProps) {
  if (call.error && end && !end.isFault) {
    if (asked) return null;
    return (
      <p className="text-sm break-words whitespace-pre-wrap text-soft">
        {visibleText(call.error.message, { multiline: true })}
      </p>
    );
  }
  const command = commandResultOf(call);
  if (command) return <CommandOutput result={command} />;
  if (call.error) {
    return (
      <Labelled label="Error">
        <p className="text-sm break-words whitespace-pre-wrap text-danger">
          {visibleText(call.error.message, { multiline: true })}{" "}
          <span className="opacity-80">({visibleText(call.error.code)})</span>
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
  const parts = toContentParts(call.result);
  if (parts) return <Content parts={parts} name={call.name} />;
  if (call.result === undefined || call.result === null) return null;
  const text = typeof call.result === "string" ? call.result : JSON.stringify(call.result, null, 2);
  return (
    <Labelled label="Result">
      <Source text={text} what="result" />
    </Labelled>
  );
}

function Content({ parts, name }: { parts: ContentPart[]; name: string }) {
  return parts.map((part, at) =>
    "image" in part ? (
      <img
        key={at}
        src={part.image}
        alt={`From ${visibleText(name)}`}
        className="max-h-96 max-w-full justify-self-start rounded-lg border border-line object-contain"
      />
    ) : (
      part.text !== "" && <Source key={at} text={part.text} what="result" />
    ),
  );
}

function CommandOutput({ result }: { result: CommandResult }) {
  const { exitCode, note, durationMs } = result;
  const parts = [
    { label: "Output", text: result.output ?? result.stdout ?? "", failed: false },
    { label: "Error output", text: result.stderr ?? "", failed: true },
  ].filter(({ text }) => text !== "");
  return (
    <div className="grid min-w-0 gap-3">
      {parts.map(({ label, text, failed }) => (
        <Labelled key={label} label={label}>
          <Source text={text} what={label.toLowerCase()} failed={failed} />
        </Labelled>
      ))}
      <p className="flex flex-wrap empty:hidden items-center gap-x-3 gap-y-1 text-xs text-soft">
        {exitCode !== undefined && (
          <span className={exitCode === 0 ? "text-done" : "font-medium text-danger"}>
            {exitWords(exitCode)}
          </span>
        )}
        {parts.length === 0 && <span>It wrote nothing.</span>}
        {durationMs !== undefined && <span>{inWords(durationMs)}</span>}
        {note !== undefined && <span className="text-danger">{visibleText(note)}</span>}
      </p>
    </div>
  );
}

function inWords(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  return milliseconds < 60_000
    ? `${(milliseconds / 1_000).toFixed(1)} s`
    : `${Math.round(milliseconds / 60_000)} min`;
}
