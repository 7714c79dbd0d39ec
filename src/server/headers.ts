import type { ServerResponse } from "node:http";

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

type SettableHeaders = Pick<Headers, "set" | "has">;

/** Of an answer of Node: what is set there stays unless the answer's own headers say otherwise. */
export function headersOf(outgoing: ServerResponse): SettableHeaders {
  return {
    set: (name, value) => void outgoing.setHeader(name, value),
    has: (name) => outgoing.hasHeader(name),
  };
}

/** Headers of every answer, also of errors. There is no CORS header among them on purpose. */
export function setSafetyHeaders(headers: SettableHeaders, path: string): void {
  headers.set("Content-Security-Policy", CONTENT_SECURITY_POLICY);
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("Referrer-Policy", "no-referrer");
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  if (path.startsWith("/api") || path === "/mcp") headers.set("Cache-Control", "no-store");
  else if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-cache");
}
