import { setTimeout as pause } from "node:timers/promises";

export interface Address {
  url: string;
  token: string;
}

/** How long a client waits before it tries again. */
export const BACKOFF_MS = 50;

/** Asks again, wherever the server is by then, until there is an answer; tells when it was refused. */
export async function request(
  { address, refused }: { address: () => Address | undefined; refused: (line: string) => void },
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<any> {
  for (;;) {
    const at = address();
    try {
      if (!at) throw new Error("The server has not come up yet.");
      const response = await fetch(at.url + path, {
        method,
        headers: {
          authorization: `Bearer ${at.token}`,
          "content-type": "application/json",
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const answer: unknown = await response.json();
      if (response.status !== 503) return answer;
      refused(`${method} ${path}: ${JSON.stringify(answer)}`);
      await pause(BACKOFF_MS);
    } catch {
      await pause(BACKOFF_MS);
    }
  }
}
