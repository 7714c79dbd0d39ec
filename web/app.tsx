import { useEffect, useRef, useState } from "react";
import { createWebSocketTransport, TransportProvider } from "./parts.ts";
import { setPreferences, usePreferences } from "./preferences.ts";
import { Shell } from "./shell/shell.tsx";
import { takeCode, visit, type Visit } from "./sign-in/credential.ts";
import { SignInPage } from "./sign-in/sign-in-page.tsx";
import { Unreachable } from "./sign-in/unreachable.tsx";

/** Signed in or not: everything else is inside. */
export function App({ code }: { code?: string }) {
  const [state, setState] = useState<Visit | undefined>();
  const given = useRef(code);

  useEffect(() => {
    const enter = (withCode?: string) => void visit(withCode).then(setState);
    enter(given.current);
    given.current = undefined;
    const changed = () => {
      const fresh = takeCode();
      if (fresh) enter(fresh);
    };
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);

  if (!state) return null;
  if (state.kind === "unreachable") {
    return <Unreachable retry={() => void visit().then(setState)} />;
  }
  if (state.kind === "signed_out") {
    return <SignInPage problem={state.problem} onVisit={setState} />;
  }
  return <SignedIn name={state.name} onSignedOut={() => setState({ kind: "signed_out" })} />;
}

function SignedIn({ name, onSignedOut }: { name: string; onSignedOut: () => void }) {
  const { interactive } = usePreferences();
  const [transport] = useState(() => createWebSocketTransport());
  useEffect(() => {
    const stop = transport.onConnection(({ state }) => {
      if (state === "signed_out") onSignedOut();
    });
    return () => {
      stop();
      transport.close();
    };
  }, [transport, onSignedOut]);
  return (
    <TransportProvider
      transport={transport}
      interactive={interactive}
      onEnable={() => setPreferences({ interactive: true })}
    >
      <Shell name={name} onSignedOut={onSignedOut} />
    </TransportProvider>
  );
}
