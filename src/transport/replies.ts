import { type Reply, TransportError } from "./transport.ts";

type Refusal = Extract<Reply, { ok: false }>;

/** What a reply says that the server gave to a response, in a frame or in a body. */
export function toReply(body: Record<string, unknown> & { ok?: unknown }): Reply {
  if (body.ok === true) return { ok: true };
  const { code, error, fieldErrors, response, current, reason } = body as Partial<Refusal>;
  const told = { fieldErrors, response, current, reason };
  const given = Object.entries(told).filter(([, value]) => value !== undefined);
  return {
    ok: false,
    code: code ?? "internal",
    error: error ?? "The server refused this and did not say why.",
    ...Object.fromEntries(given),
  };
}

export const unreachable = (cause?: unknown) =>
  new TransportError("unreachable", "The server did not answer. Check the connection.", { cause });

export const closed = () => new TransportError("closed", "This transport has been closed.");

/** The words for who has to sign in before anything else. */
export const SIGNED_OUT = {
  ok: false,
  code: "unauthorized",
  error: "You are signed out. Sign in again, then send this once more.",
} as const satisfies Reply;

export const TOO_LARGE = {
  ok: false,
  code: "too_large",
  error: "This is too large to be sent. Shorten it.",
} as const satisfies Reply;

/** What a client whose interactive mode is off hears, from itself where nobody else would say it. */
export const DISABLED = {
  ok: false,
  code: "interaction_disabled",
  error: "Interactive mode is off for this client. Turn it on to answer.",
} as const satisfies Reply;
