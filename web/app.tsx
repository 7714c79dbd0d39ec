import { useEffect, useMemo, useRef, useState } from "react";
import { PromptAnnouncer, TransportProvider } from "../src/react/index.ts";
import { Markdown } from "./markdown/lazy-markdown.tsx";
import { createWebSocketTransport } from "../src/transport/index.ts";
import { clientIdOf, MyId, storageOf } from "./personal.tsx";
import { setPreferences, usePreferences } from "./preferences.ts";
import { Shell, type ShellProps } from "./shell/shell.tsx";
import { onSignIn, takeCode, visit, type Visit } from "./sign-in/credential.ts";
import { SignInPage } from "./sign-in/sign-in-page.tsx";
import { Unreachable } from "./sign-in/unreachable.tsx";

const ENDED = "Your sign-in has ended. Sign in again, and you are back where you were.";

/** Signed in or not: everything else is inside. */
export function App({ code }: { code?: string }) {
  const [state, setState] = useState<Visit | undefined>();
  const given = useRef(code);

  useEffect(() => {
    const enter = (withCode?: string) => void visit(withCode).then(setState);
    enter(given.current);
    given.current = undefined;
    const changed = ({ oldURL }: HashChangeEvent) => {
      const fresh = takeCode(new URL(oldURL).hash);
      if (fresh) enter(fresh);
    };
    addEventListener("hashchange", changed);
    const stop = onSignIn(() => enter());
    return () => {
      removeEventListener("hashchange", changed);
      stop();
    };
  }, []);

  if (!state) return null;
  if (state.kind === "unreachable") {
    return <Unreachable retry={() => void visit().then(setState)} />;
  }
  if (state.kind === "signed_out") {
    return <SignInPage problem={state.problem} onVisit={setState} />;
  }
  const { id, name } = state;
  // Another person gets a line of their own, and nothing that the page still holds.
  return (
    <SignedIn
      key={id}
      id={id}
      name={name}
      onSignedOut={(problem) => setState({ kind: "signed_out", problem })}
    />
  );
}

function SignedIn({ id, ...props }: ShellProps & { id: string }) {
  const storage = useMemo(() => storageOf(id), [id]);
  const { interactive } = usePreferences();
  const [transport] = useState(() =>
    createWebSocketTransport({ clientId: clientIdOf(id), interactive }),
  );
  const left = useRef(props.onSignedOut);
  useEffect(() => {
    const stop = transport.onConnection(({ state }) => {
      if (state === "signed_out") left.current(ENDED);
    });
    return () => {
      stop();
      transport.close();
    };
  }, [transport]);
  return (
    <TransportProvider
      transport={transport}
      interactive={interactive}
      storage={storage}
      onEnable={() => setPreferences({ interactive: true })}
      markdown={markdown}
    >
      <PromptAnnouncer />
      <MyId value={id}>
        <Shell {...props} storage={storage} />
      </MyId>
    </TransportProvider>
  );
}

const markdown = (text: string) => <Markdown text={text} />;
