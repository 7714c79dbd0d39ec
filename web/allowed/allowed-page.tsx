import { ShieldCheck } from "lucide-react";
import { visibleText } from "../../src/client/index.ts";
import type { GrantRecord } from "../../src/protocol/index.ts";
import { addressOf } from "../route.ts";
import { PageHeader } from "../shell/page-header.tsx";
import { relativeTime } from "../shell/relative-time.ts";
import { useMinute } from "../shell/use-minute.ts";
import { useSessions } from "../shell/world.tsx";
import { useGrants } from "./use-grants.ts";

/** What runs without asking, because somebody allowed more than one call; and a way to end that. */
export function AllowedPage() {
  const { grants, problem, revoke } = useGrants();
  return (
    <>
      <PageHeader>
        <h1 className="font-medium">Allowed</h1>
      </PageHeader>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="column grid gap-5 py-6">
          {problem && (
            <p role="alert" className="text-danger">
              {problem}
            </p>
          )}
          {grants?.length === 0 && <Nothing />}
          {grants && grants.length > 0 && (
            <>
              <p className="text-sm text-soft">
                These calls run without asking. Revoke one, and the next call asks again.
              </p>
              <ul className="grid gap-3" aria-label="Allowed calls">
                {grants.map((grant) => (
                  <Row key={grant.id} grant={grant} revoke={() => void revoke(grant.id)} />
                ))}
              </ul>
            </>
          )}
        </div>
      </div>
    </>
  );
}

function Nothing() {
  return (
    <div className="py-16 text-center">
      <ShieldCheck aria-hidden size={32} strokeWidth={1.5} className="mx-auto mb-4 text-soft" />
      <h2 className="mb-1 text-lg font-medium">Nothing is allowed in advance</h2>
      <p className="text-soft">What you allow for a session or for always is listed here.</p>
    </div>
  );
}

function Row({ grant, revoke }: { grant: GrantRecord; revoke: () => void }) {
  const now = useMinute();
  const { toolName, key, by, byName = by, createdAt, expiresAt } = grant;
  return (
    <li className="flex min-w-0 items-start gap-3 rounded-lg border border-line px-4 py-3">
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="font-medium break-words">{visibleText(toolName)}</p>
        <code className="max-h-40 overflow-y-auto font-mono text-xs break-words whitespace-pre-wrap">
          {visibleText(key, { multiline: true })}
        </code>
        <p className="text-xs text-soft">
          <Reach grant={grant} /> · allowed {relativeTime(createdAt, now)} by {visibleText(byName)}
          {expiresAt && ` · until ${new Date(expiresAt).toLocaleString()}`}
        </p>
      </div>
      <button
        className="button shrink-0"
        aria-label={`Revoke ${visibleText(toolName)}`}
        onClick={revoke}
      >
        Revoke
      </button>
    </li>
  );
}

function Reach({ grant: { sessionId } }: { grant: GrantRecord }) {
  const { sessions } = useSessions();
  if (sessionId === undefined) return "In every session, until you revoke it";
  const title = sessions.find(({ id }) => id === sessionId)?.title ?? "a session";
  return (
    <>
      In{" "}
      <a className="quiet-link" href={addressOf({ page: "session", sessionId })}>
        {visibleText(title)}
      </a>
    </>
  );
}
