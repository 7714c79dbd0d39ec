import { PageHeader } from "../shell/page-header.tsx";
import { NewSession } from "../shell/new-session.tsx";
import { useInbox, useSessions } from "../shell/world.tsx";

export function HomePage() {
  const { sessions, ready } = useSessions();
  const waiting = useInbox().interactions.length;
  return (
    <>
      <PageHeader>
        <h1 className="font-medium">Start</h1>
      </PageHeader>
      <div className="grid min-h-0 flex-1 place-items-center overflow-y-auto p-6">
        {ready && (
          <div className="w-full max-w-md">
            <h2 className="mb-2 text-2xl font-semibold tracking-tight">Agents ask, you answer</h2>
            <p className="mb-6 text-soft">
              {sessions.length === 0
                ? "Start a session. With the demo agent, write /tour to see every kind of prompt."
                : "Pick a session, or start a new one. Nothing an agent asks is lost while you are away."}
            </p>
            <div className="grid gap-2">
              <NewSession />
              {waiting > 0 && (
                <a className="button" href="#/inbox">
                  {waiting === 1 ? "1 prompt waits for you" : `${waiting} prompts wait for you`}
                </a>
              )}
            </div>
          </div>
        )}
      </div>
    </>
  );
}
