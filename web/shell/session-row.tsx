import { Ellipsis, Pencil, Trash2 } from "lucide-react";
import { memo, useRef, useState } from "react";
import { visibleText } from "../../src/client/index.ts";
import { useTransport } from "../../src/react/index.ts";
import type { SessionRecord } from "../../src/protocol/index.ts";
import { addressOf, goTo } from "../route.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { relativeTime } from "./relative-time.ts";
import { RenameField } from "./rename-field.tsx";

interface Props {
  session: SessionRecord;
  current: boolean;
  now: number;
}

export const SessionRow = memo(function SessionRow({ session, current, now }: Props) {
  const transport = useTransport();
  const [state, setState] = useState<"renaming" | "deleting" | "more">();
  const [problem, setProblem] = useState<string>();
  const link = useRef<HTMLAnchorElement>(null);
  const { id, title, agent, status, pendingCount, updatedAt } = session;
  const shown = visibleText(title);

  const rename = (next?: string) => {
    setState(undefined);
    setProblem(undefined);
    if (next && next !== title) {
      transport.updateSession(id, { title: next }).catch((error: unknown) => {
        setProblem(error instanceof Error ? error.message : String(error));
      });
    }
    requestAnimationFrame(() => link.current?.focus());
  };
  if (state === "renaming") {
    return (
      <li>
        <RenameField title={title} onDone={rename} />
      </li>
    );
  }
  return (
    <li className="session-row">
      <a
        ref={link}
        href={addressOf({ page: "session", sessionId: id })}
        className="nav-row min-w-0 flex-1"
        aria-current={current ? "page" : undefined}
        aria-keyshortcuts="F2"
        onKeyDown={(event) => event.key === "F2" && setState("renaming")}
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate" title={shown}>
            {shown}
          </span>
          <span className="block truncate text-xs text-soft">
            {visibleText(agent)} · {relativeTime(updatedAt, now)}
          </span>
        </span>
        {pendingCount > 0 ? (
          <span className="badge-waiting" aria-label={`${pendingCount} waiting for you`}>
            {pendingCount}
          </span>
        ) : (
          status === "running" && <span className="dot-running" role="img" aria-label="at work" />
        )}
      </a>
      <button
        className="icon-button session-more"
        aria-label={`More about ${shown}`}
        aria-expanded={state === "more"}
        onClick={() => setState(state === "more" ? undefined : "more")}
      >
        <Ellipsis aria-hidden size={16} />
      </button>
      <span className="session-actions" data-shown={state === "more"}>
        <button
          className="icon-button"
          aria-label={`Rename ${shown}`}
          title="Rename"
          onClick={() => setState("renaming")}
        >
          <Pencil aria-hidden size={14} />
        </button>
        <button
          className="icon-button"
          aria-label={`Delete ${shown}`}
          title="Delete"
          onClick={() => setState("deleting")}
        >
          <Trash2 aria-hidden size={14} />
        </button>
      </span>
      {problem && (
        <p role="alert" className="w-full px-2.5 text-xs text-danger">
          It keeps its title. {problem}
        </p>
      )}
      {state === "deleting" && (
        <ConfirmDialog
          title={`Delete “${shown}”?`}
          text={`${whatWaits(pendingCount)}What runs in it is stopped. This cannot be undone.`}
          action="Delete"
          onConfirm={async () => {
            await transport.deleteSession(id);
            if (current) goTo({ page: "home" });
          }}
          onClose={() => setState(undefined)}
        />
      )}
    </li>
  );
});

function whatWaits(count: number): string {
  if (count === 0) return "";
  return count === 1
    ? "1 prompt in it waits for an answer, and will be withdrawn. "
    : `${count} prompts in it wait for an answer, and will be withdrawn. `;
}
