import { useState } from "react";
import { CopyButton } from "../shell/copy-button.tsx";
import { signInWith, type Visit } from "./credential.ts";

const COMMANDS = [
  ["In a clone, in its folder", "node bin/beckon.js open"],
  ["Where it is installed", "beckon open"],
] as const;

/** What somebody sees who is not signed in: why, and the two ways in. */
export function SignInPage(props: { problem?: string; onVisit: (visit: Visit) => void }) {
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(props.problem);

  const submit = async () => {
    setBusy(true);
    const visit = await signInWith(text);
    setBusy(false);
    if (visit.kind === "signed_in") return props.onVisit(visit);
    setProblem(
      visit.kind === "signed_out" ? visit.problem : "The server does not answer. Is it running?",
    );
  };

  return (
    <main className="grid min-h-dvh place-items-center p-5">
      <div className="w-full max-w-md">
        <img src="/icon.svg" alt="" width={44} height={44} className="mb-6" />
        <h1 className="mb-2 text-2xl font-semibold tracking-tight">Sign in to Beckon</h1>
        <p className="mb-6 text-soft">
          Run this in a terminal on the machine that serves this page, and open the address it
          prints. Each address works once, for one minute.
        </p>
        <div className="mb-8 grid gap-3">
          {COMMANDS.map(([where, command]) => (
            <div key={where} className="code-block">
              <div className="code-head">
                <span>{where}</span>
                <CopyButton text={command} what={command} />
              </div>
              <pre>
                <code>{command}</code>
              </pre>
            </div>
          ))}
        </div>
        <form
          className="grid gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <label htmlFor="paste" className="font-medium">
            Or paste the address that <code>beckon open</code> prints, or a token
          </label>
          <div className="flex gap-2">
            <input
              id="paste"
              className="input min-w-0 flex-1"
              type="password"
              autoComplete="off"
              value={text}
              placeholder={`${location.origin}/#code=…`}
              aria-invalid={problem !== undefined}
              aria-describedby={problem ? "problem" : undefined}
              onChange={(event) => {
                setProblem(undefined);
                setText(event.target.value);
              }}
            />
            <button className="button button-strong" disabled={busy || text.trim() === ""}>
              {busy ? "Signing in…" : "Sign in"}
            </button>
          </div>
          {problem && (
            <p id="problem" role="alert" className="text-sm text-danger">
              {/* A command stands between backticks in what the server says. */}
              {problem
                .split("`")
                .map((piece, index) =>
                  index % 2 === 1 ? <code key={index}>{piece}</code> : piece,
                )}
            </p>
          )}
        </form>
        <p className="mt-8 text-sm text-soft">
          Nothing you paste is kept in this browser. It gets a cookie that no script can read, and
          you can sign out at any time.
        </p>
      </div>
    </main>
  );
}
