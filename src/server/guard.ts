import { ProtocolError } from "../protocol/index.ts";

/** Under which names this server may be reached. */
export interface Hosts {
  /** `name` or `name:port`, beside the loopback names. */
  readonly allowHosts: readonly string[];
  /** The port that it listens on; unset while it is only used in process. */
  port?: number;
}

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * The first two checks of every request and upgrade. A page that tricked a browser into sending
 * us something (DNS rebinding, a cross-site request) fails here, before anything is looked up.
 */
export function checkHostAndOrigin(
  sent: {
    host: string | null | undefined;
    origin: string | null | undefined;
    /** `Sec-Fetch-Site`, where it counts. */
    site?: string;
  },
  hosts: Hosts,
): void {
  const host = sent.host ?? "";
  if (!isAllowedHost(host, hosts)) {
    throw new ProtocolError(
      "forbidden_host",
      "This server does not answer to that Host. Use 127.0.0.1 or localhost with its port, or start it with --allow-host NAME.",
    );
  }
  const hasOrigin = sent.origin !== null && sent.origin !== undefined;
  if ((hasOrigin && !isOwnOrigin(sent.origin ?? "", host)) || isForeignSite(sent.site)) {
    throw new ProtocolError(
      "forbidden_origin",
      "Pages of another origin may not use this server. Open its own address.",
    );
  }
}

/**
 * A page can make a browser read without an Origin: an image, a script, `no-cors`. For a page on
 * another port of this machine the cookie comes along even so, since ports are one site.
 */
function isForeignSite(site: string | undefined): boolean {
  return site !== undefined && site !== "same-origin" && site !== "none";
}

export function isAllowedHost(host: string, hosts: Hosts): boolean {
  const sent = parseAuthority(host);
  if (!sent) return false;
  if (LOOPBACK.has(sent.name) && (sent.port ?? 80) === (hosts.port ?? 80)) return true;
  return hosts.allowHosts.some((entry) => {
    const allowed = parseAuthority(entry);
    if (allowed?.name !== sent.name) return false;
    const ports = allowed.port === undefined ? [80, 443, hosts.port] : [allowed.port];
    // Behind a proxy on its scheme's own port, a browser leaves the port out.
    if (sent.port === undefined) return ports.includes(80) || ports.includes(443);
    return ports.includes(sent.port);
  });
}

/** An origin is ours if it is the very address that the request was sent to. */
export function isOwnOrigin(origin: string, host: string): boolean {
  const to = parseAuthority(host);
  const from = /^(https?):\/\/(.+)$/.exec(origin);
  const authority = from?.[2] === undefined ? null : parseAuthority(from[2]);
  if (!to || !authority || authority.name !== to.name) return false;
  // Only a proxy speaks TLS for us, and a proxy has a name of its own.
  if (from?.[1] === "https" && LOOPBACK.has(to.name)) return false;
  const schemePort = from?.[1] === "https" ? 443 : 80;
  return (authority.port ?? schemePort) === (to.port ?? schemePort);
}

/** Whether a Host header could ever be this. */
export function isHostName(text: string): boolean {
  return parseAuthority(text) !== null;
}

function parseAuthority(text: string): { name: string; port?: number } | null {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([1-9]\d{0,4}))?$/.exec(text.toLowerCase());
  if (match?.[1] === undefined) return null;
  return { name: match[1], port: match[2] === undefined ? undefined : Number(match[2]) };
}
