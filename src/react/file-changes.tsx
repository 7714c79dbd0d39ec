import { useEffect, useMemo, useState } from "react";
import {
  countsOf,
  FILE_WORDS,
  type FileDiff,
  isLarge,
  toFileDiffs,
  visibleText,
} from "../client/index.ts";
import type { FileChange } from "../protocol/index.ts";
import { DiffRuns } from "./diff-view.tsx";

export interface FileChangesProps {
  changes: FileChange[];
  /** Paths in it are shown from there on. */
  folder?: string | undefined;
  /** Called when no file is folded that has not been opened once: nothing of it is out of reach. */
  onOpened?: () => void;
}

/** What becomes of files: first their list, then each one's diff. Large ones are folded at first. */
export function FileChanges({ changes, folder, onOpened }: FileChangesProps) {
  const files = useMemo(() => toFileDiffs(changes, folder), [changes, folder]);
  const [opened, setOpened] = useState<ReadonlySet<number>>(NONE);
  const isAllOpened = files.every((file, at) => !isLarge(file) || opened.has(at));
  useEffect(() => {
    if (isAllOpened) onOpened?.();
  }, [isAllOpened, onOpened]);
  return (
    <div className="bk-files">
      {files.length > 1 && (
        <ul aria-label="Files">
          {files.map((file, at) => (
            <li key={at}>
              <Name file={file} />
            </li>
          ))}
        </ul>
      )}
      {files.map((file, at) => (
        <File
          key={at}
          file={file}
          onOpened={() => setOpened((before) => new Set(before).add(at))}
        />
      ))}
    </div>
  );
}

const NONE: ReadonlySet<number> = new Set();

function File({ file, onOpened }: { file: FileDiff; onOpened: () => void }) {
  const { runs, isWhole, note, path } = file;
  const large = isLarge(file);
  const body = (
    <>
      {note !== undefined && <p className="bk-notice">{note}</p>}
      {runs.length > 0 && (
        <DiffRuns runs={runs} isWhole={isWhole} label={`Change of ${visibleText(path)}`} />
      )}
    </>
  );
  if (!large) {
    return (
      <figure className="bk-code" data-beckon-view="change">
        <figcaption>
          <Name file={file} />
        </figcaption>
        {body}
      </figure>
    );
  }
  return (
    <details
      className="bk-code"
      data-beckon-view="change"
      data-beckon-large=""
      onToggle={({ currentTarget }) => currentTarget.open && onOpened()}
    >
      <summary>
        <Name file={file} /> · {file.added + file.removed} lines change
      </summary>
      {body}
    </details>
  );
}

function Name({ file }: { file: FileDiff }) {
  const { kind, path, to } = file;
  return (
    <>
      {FILE_WORDS[kind]} <b>{visibleText(path)}</b>
      {to !== undefined && (
        <>
          {" to "}
          <b>{visibleText(to)}</b>
        </>
      )}{" "}
      <span className="bk-counts">{countsOf(file)}</span>
    </>
  );
}
