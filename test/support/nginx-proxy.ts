import { createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Does what a configuration of nginx says, as far as ours says something: which headers are handed
 * on, whether a reply is kept back until it is whole, and how large a body may be. What is not said
 * is as nginx has it, so that a line that is missing is missed.
 */
export async function startNginxLike(
  configuration: string,
): Promise<{ port: number; close: () => void }> {
  const directives = readLocation(configuration);
  const target = new URL(directives.get("proxy_pass")?.[0] ?? "");
  const isBuffered = directives.get("proxy_buffering")?.[0] !== "off";
  const mostBytes = bytesOf(directives.get("client_max_body_size")?.[0] ?? "1m");

  const handOn = (from: IncomingMessage) =>
    request({
      host: target.hostname,
      port: target.port,
      method: from.method,
      path: from.url,
      headers: headersFor(from, directives, target),
    });

  const server = createServer((from, to) => {
    if (Number(from.headers["content-length"] ?? 0) > mostBytes) {
      from.resume();
      to.writeHead(413).end();
      return;
    }
    const onward = handOn(from);
    onward.on("response", (reply) => {
      const headers = { ...reply.headers };
      const isStreamed = headers["x-accel-buffering"] === "no" || !isBuffered;
      delete headers["x-accel-buffering"];
      const start = () => to.writeHead(reply.statusCode ?? 502, headers);
      if (isStreamed) {
        start().flushHeaders();
        reply.pipe(to);
        return;
      }
      const pieces: Buffer[] = [];
      reply.on("data", (piece: Buffer) => pieces.push(piece));
      reply.on("end", () => start().end(Buffer.concat(pieces)));
    });
    onward.on("error", () => to.writeHead(502).end());
    to.on("close", () => onward.destroy());
    from.pipe(onward);
  });

  server.on("upgrade", (from: IncomingMessage, socket, head) => {
    const onward = handOn(from);
    const raw = (reply: IncomingMessage) =>
      `HTTP/1.1 ${reply.statusCode} ${reply.statusMessage}\r\n${pairs(reply.rawHeaders)}\r\n\r\n`;
    onward.on("upgrade", (reply, upstream, first) => {
      socket.write(raw(reply));
      socket.write(first);
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
      upstream.on("error", () => socket.destroy());
      socket.on("error", () => upstream.destroy());
    });
    onward.on("response", (reply) => {
      socket.write(raw(reply));
      reply.pipe(socket);
    });
    onward.end();
  });
  return listening(server);
}

async function listening(server: Server): Promise<{ port: number; close: () => void }> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

type Directives = Map<string, string[]> & { headers?: Map<string, string> };

/** The directives of `location /`; several of one name only for headers. */
function readLocation(configuration: string): Directives {
  const [, body = ""] = /location \/ \{([^}]*)\}/.exec(configuration) ?? [];
  const directives: Directives = new Map();
  directives.headers = new Map();
  for (const statement of body.replaceAll(/#.*$/gm, "").split(";")) {
    const [name = "", ...values] = statement.trim().split(/\s+/);
    if (name === "proxy_set_header") {
      directives.headers.set((values[0] ?? "").toLowerCase(), values[1] ?? "");
    } else if (name !== "") directives.set(name, values);
  }
  return directives;
}

function headersFor(from: IncomingMessage, { headers }: Directives, target: URL) {
  const variables: Record<string, string> = {
    $http_host: from.headers.host ?? "",
    $host: (from.headers.host ?? "").replace(/:\d+$/, ""),
    $http_upgrade: from.headers.upgrade ?? "",
    $connection_upgrade: from.headers.upgrade === undefined ? "" : "upgrade",
  };
  const { upgrade: _upgrade, ...passed } = from.headers;
  const all: Record<string, string | string[] | undefined> = {
    ...passed,
    host: target.host,
    connection: "close",
  };
  for (const [name, value] of headers ?? []) {
    const set = variables[value] ?? value;
    if (set === "") delete all[name];
    else all[name] = set;
  }
  return all;
}

function bytesOf(size: string): number {
  return Number.parseInt(size, 10) * (size.endsWith("m") ? 1024 * 1024 : 1);
}

function pairs(raw: string[]): string {
  return raw.flatMap((text, at) => (at % 2 === 0 ? [`${text}: ${raw[at + 1]}`] : [])).join("\r\n");
}
