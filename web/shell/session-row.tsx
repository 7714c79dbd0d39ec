import { Pencil, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import type { SessionRecord } from "../../src/protocol/index.ts";
import { useTransport } from "../parts.ts";
import { addressOf, goTo } from "../route.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { relativeTime } from "./relative-time.ts";

export function SessionRow({ session, current }: { session: SessionRecord; current: boolean }) {
  const transport = useTransport();
  const [renaming, setRenaming] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const link = useRef<HTMLAnchorElement>(null);
  const { id, title, agent, status, pendingCount, updatedAt } = session;

  if (renaming) {
    return (
      <li>
        <Rename
          title={title}
          onDone={(next) => {
            setRenaming(false);
            if (next && next !== title) void transport.updateSession(id, { title: next });
            requestAnimationFrame(() => link.current?.focus());
          }}
        />
      </li>
    );
  }
  return (
    <li className="session-row">
      <a
        ref={link}
        href={addressOf({ page: "session", sessionId: id })}
        className="nav-row"
        aria-current={current ? "page" : undefined}
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate">{title}</span>
          <span className="block truncate text-xs text-soft">
            {agent} · {relativeTime(updatedAt)}
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
      <span className="session-actions">
        <button
          className="icon-button"
          aria-label={`Rename ${title}`}
          onClick={() => setRenaming(true)}
        >
          <Pencil aria-hidden size={14} />
        </button>
        <button
          className="icon-button"
          aria-label={`Delete ${title}`}
          onClick={() => setDeleting(true)}
        >
          <Trash2 aria-hidden size={14} />
        </button>
      </span>
      {deleting && (
        <ConfirmDialog
          title={`Delete “${title}”?`}
          text="What runs in it is stopped, and its open prompts are withdrawn. This cannot be undone."
          action="Delete"
          onConfirm={async () => {
            await transport.deleteSession(id);
            if (current) goTo({ page: "home" });
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </li>
  );
}

function Rename({ title, onDone }: { title: string; onDone: (title?: string) => void }) {
  const [text, setText] = useState(title);
  const done = useRef(false);
  const finish = (result?: string) => {
    if (done.current) return;
    done.current = true;
    onDone(result);
  };
  return (
    <input
      className="input w-full"
      aria-label="New title"
      autoFocus
      maxLength={200}
      value={text}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => finish(text.trim())}
      onKeyDown={(event) => {
        if (event.key === "Enter") finish(text.trim());
        if (event.key === "Escape") finish();
      }}
    />
  );
}
