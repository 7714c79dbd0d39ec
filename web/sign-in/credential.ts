/** Who is signed in; or why nobody is. */
export type Visit =
  | { kind: "signed_in"; id: string; name: string }
  | { kind: "signed_out"; problem?: string }
  | { kind: "unreachable" };

/**
 * Takes the one-time code out of the address, and out of the history, before anything else can see
 * it. Who was somewhere inside (`place`) is there again.
 */
export function takeCode(place = ""): string | undefined {
  const code = codeIn(location.hash);
  const inside = place.startsWith("#/") ? place : "";
  if (code) history.replaceState(null, "", location.pathname + inside);
  return code;
}

/** One for hearing and telling, so that a tab does not hear itself. */
const otherTabs = new BroadcastChannel("beckon:signed-in");

/** Hears of a sign-in in another tab of this browser, which is one for all of them. */
export function onSignIn(listener: () => void): () => void {
  otherTabs.addEventListener("message", listener);
  return () => otherTabs.removeEventListener("message", listener);
}

function tellOtherTabs(): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  otherTabs.postMessage(null);
}

function codeIn(hash: string): string | undefined {
  if (hash.startsWith("#/")) return undefined;
  return new URLSearchParams(hash.slice(1)).get("code") ?? undefined;
}

/** Signs in with a code where there is one, then asks the server who this browser is. */
export async function visit(code?: string): Promise<Visit> {
  try {
    const problem = code ? await exchange(code) : undefined;
    const answer = await fetch("/api/auth/me");
    if (answer.status === 401) return { kind: "signed_out", problem };
    if (!answer.ok) return { kind: "unreachable" };
    const { principal } = (await answer.json()) as { principal: { id: string; name: string } };
    return { kind: "signed_in", id: principal.id, name: principal.name };
  } catch {
    return { kind: "unreachable" };
  }
}

/**
 * Signs in with what a person pasted: the address that `beckon open` prints, its code, or a token.
 * Nothing of it is kept here: the server answers with a cookie that no script can read.
 */
export async function signInWith(pasted: string): Promise<Visit> {
  const text = pasted.trim();
  const address = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (address && address.origin !== location.origin) {
    return {
      kind: "signed_out",
      problem: `That address belongs to ${address.origin}. Open it there, or paste one for ${location.origin}.`,
    };
  }
  const code = address ? codeIn(address.hash) : text;
  if (!code) {
    return { kind: "signed_out", problem: "There is no sign-in code in that address." };
  }
  const first = await visit(code);
  if (first.kind !== "signed_out" || address) return first;
  try {
    const refused = await post("/api/auth/signin", {}, { authorization: `Bearer ${code}` });
    if (refused === undefined) tellOtherTabs();
    return refused === undefined
      ? await visit()
      : { kind: "signed_out", problem: "That is neither a fresh code nor a person's token." };
  } catch {
    return { kind: "unreachable" };
  }
}

export async function signOut(): Promise<void> {
  await post("/api/auth/signout", {});
}

async function exchange(code: string): Promise<string | undefined> {
  const problem = await post("/api/auth/exchange", { code });
  if (problem === undefined) tellOtherTabs();
  return problem;
}

/** The server's sentence if it refused. */
async function post(
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<string | undefined> {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  if (answer.ok) return undefined;
  const { error } = (await answer.json()) as { error: string };
  return error;
}
