import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root, type StartedServer, withServer } from "./server-process.ts";

/** A server that listens: Beckon, or a bare one that needs no token. */
export interface Place extends StartedServer {
  url: string;
  headers: Record<string, string>;
}

/** The real `beckon serve`, on a data directory. */
export function withBeckon<Result>(
  data: string,
  measure: (place: Place) => Promise<Result>,
  /** Another built checkout than this; what else to say on the command line. */
  { checkout = root, more = [] }: { checkout?: string; more?: string[] } = {},
): Promise<Result> {
  const program = join(checkout, "bin", "beckon.js");
  const serve = [program, "serve", "--port", "0", "--json", "--data", data, ...more];
  return withServer(serve, async (server) => {
    const token = (await readFile(join(data, "token"), "utf8")).trim();
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    return measure({ ...server, url: urlOf(server), headers });
  });
}

/** One of the bare programs of this folder, such as `ask/reference.ts`. */
export function withBare<Result>(
  program: string,
  args: string[],
  measure: (place: Place) => Promise<Result>,
): Promise<Result> {
  const source = ["--import", "tsx", join(root, "bench", program)];
  return withServer([...source, ...args], (server) =>
    measure({ ...server, url: urlOf(server), headers: {} }),
  );
}

function urlOf({ line }: StartedServer): string {
  return new URL((JSON.parse(line) as { url: string }).url).origin;
}

export async function createSession({ url, headers }: Place): Promise<string> {
  const reply = await fetch(`${url}/api/sessions`, { method: "POST", headers, body: "{}" });
  return ((await reply.json()) as { id: string }).id;
}
