import { useEffect } from "react";

/** The server does not answer. It is asked again by itself, and at once when told so. */
export function Unreachable({ retry }: { retry: () => void }) {
  useEffect(() => {
    const timer = setInterval(retry, 3_000);
    return () => clearInterval(timer);
  }, [retry]);
  return (
    <main className="grid min-h-dvh place-items-center p-5 text-center">
      <div>
        <h1 className="mb-2 text-xl font-semibold">The server does not answer</h1>
        <p className="mb-5 text-soft">
          Start it with <code>beckon serve</code>, or in a clone with <code>npm start</code>. Open
          prompts are kept while it is down.
        </p>
        <button className="button" onClick={retry}>
          Try again now
        </button>
      </div>
    </main>
  );
}
