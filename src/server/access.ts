import type { IncomingMessage } from "node:http";
import type { MiddlewareHandler } from "hono";
import type { Who } from "../core/index.ts";
import { ProtocolError } from "../protocol/index.ts";
import type { Credentials } from "./credentials.ts";
import type { AppEnv, ServerParts } from "./parts.ts";

const COOKIE = "beckon";
const COOKIES = /^beckon(-\d+)?$/;
/** Each that is tried costs a look into the database, before anybody is known. */
const MOST_COOKIES = 20;

/**
 * Browsers keep one set of cookies for all ports of a host: with one name, signing in to a second
 * server on this machine would sign out of the first.
 *
 * @param host by which it was asked, as the browser will say it again
 */
export function cookieName(host: string | null | undefined): string {
  const port = /:(\d+)$/.exec(host ?? "")?.[1];
  return port === undefined ? COOKIE : `${COOKIE}-${port}`;
}

export interface SentToken {
  /** One, or every cookie that may be this server's: the browser does not say whose each is. */
  tokens: string[];
  by: "bearer" | "cookie";
}

/**
 * The headers that the checks look at. Of a Host or an Authorization that is sent twice Node keeps
 * the first; here they are joined, which no check lets pass.
 */
export function readHeaders(request: IncomingMessage) {
  return {
    host: readHost(request),
    authorization: readJoined(request, "authorization"),
    origin: request.headers.origin,
    cookie: request.headers.cookie,
    site: readJoined(request, "sec-fetch-site"),
  };
}

export function readHost(request: IncomingMessage): string | undefined {
  return readJoined(request, "host");
}

/** Every value of a header: to look for one costs less than Node's `headersDistinct` of them all. */
function readJoined({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  let joined: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [sent, value] = [rawHeaders[at] ?? "", rawHeaders[at + 1] ?? ""];
    if (sent.length !== name.length || sent.toLowerCase() !== name) continue;
    joined = joined === undefined ? value : `${joined}, ${value}`;
  }
  return joined;
}

/** The credential that a request carries: a Bearer token, or else the browser's cookies. */
export function readToken(headers: {
  authorization: string | null | undefined;
  cookie: string | null | undefined;
  host: string | null | undefined;
}): SentToken | null {
  if (headers.authorization) {
    const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization)?.[1];
    return bearer === undefined ? null : { tokens: [bearer], by: "bearer" };
  }
  const tokens = readCookies(headers.cookie, headers.host).map(({ token }) => token);
  return tokens.length === 0 ? null : { tokens, by: "cookie" };
}

/**
 * Those of this port first. The others may be of other servers on this machine, or of this one when
 * it was on another port: it still knows whom it let in before.
 */
export function readCookies(
  header: string | null | undefined,
  host: string | null | undefined,
): { name: string; token: string }[] {
  const own = cookieName(host);
  const ours = (header ?? "")
    .split(";")
    .map((pair) => pair.trim().split("=", 2))
    .map(([name = "", token = ""]) => ({ name, token }))
    .filter(({ name, token }) => COOKIES.test(name) && token !== "");
  return ours
    .toSorted((one, other) => Number(other.name === own) - Number(one.name === own))
    .slice(0, MOST_COOKIES);
}

export function toCookie(
  name: string,
  token: string,
  { seconds, secure }: { seconds: number; secure: boolean },
): string {
  const cookie = `${name}=${token}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds}`;
  return secure ? `${cookie}; Secure` : cookie;
}

/**
 * A cookie comes along with whatever a browser sends; only an Origin says which page sent it.
 * Browsers give one with every write and every upgrade.
 */
export function requireOrigin(sent: SentToken | null, origin: string | null | undefined): void {
  if (sent?.by !== "cookie" || origin) return;
  throw new ProtocolError(
    "forbidden_origin",
    "A cookie counts only with an Origin header. Programs send a Bearer token instead.",
  );
}

export async function authenticate(sent: SentToken | null, credentials: Credentials): Promise<Who> {
  for (const token of sent?.tokens ?? []) {
    const who = await credentials.authenticate(token, sent?.by);
    if (who) return who;
  }
  throw unauthorized();
}

export function unauthorized(): ProtocolError {
  return new ProtocolError(
    "unauthorized",
    "Sign in first: run `beckon open` for a fresh address, or send a token as Authorization: Bearer.",
  );
}

/** Lets in who has a good credential, and everybody to the few routes that need none. */
export function signedIn({ credentials, sockets }: ServerParts): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const method = c.req.method === "HEAD" ? "GET" : c.req.method;
    const route = `${method} ${c.req.path}`;
    const isShallow = route === "GET /api/health" && c.req.query("deep") === undefined;
    if (isShallow || route === "POST /api/auth/exchange") return next();
    const sent = readToken({
      authorization: c.req.header("authorization"),
      cookie: c.req.header("cookie"),
      host: c.req.header("host"),
    });
    if (method !== "GET") requireOrigin(sent, c.req.header("origin"));
    c.set("who", await authenticate(sent, credentials));
    if (c.env?.incoming) sockets.recognise(c.env.incoming.socket);
    c.set("by", sent?.by ?? "bearer");
    return next();
  };
}

/** Machines ask; only people decide. */
export function isPerson(who: Who): boolean {
  return who.kind === "person";
}

export function personRequired(): ProtocolError {
  return new ProtocolError(
    "person_required",
    "Only a person may do this; a machine's token may ask and read.",
  );
}

export const personOnly: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (!isPerson(c.get("who"))) throw personRequired();
  return next();
};
