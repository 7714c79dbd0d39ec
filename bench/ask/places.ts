import { once } from "node:events";
import { join } from "node:path";
import { WebSocket } from "ws";
import { openSqliteStore } from "../../src/store/index.ts";
import { systemClock } from "../../src/system.ts";
import { heard } from "../connect.ts";
import { createSession, type Place, withBare, withBeckon } from "../place.ts";
import { AskingClient } from "./client.ts";

/** A server, and as many clients as wanted, each in a session of its own. */
export interface AskingPlace extends Place {
  clients(count: number): Promise<AskingClient[]>;
}

type Measure<Result> = (place: AskingPlace) => Promise<Result>;

export function inBeckon<Result>(data: string, measure: Measure<Result>): Promise<Result> {
  return withBeckon(data, (place) => {
    const open = async () => AskingClient.open(place, await createSession(place));
    return measure({ ...place, clients: (count) => times(count, open) });
  });
}

/** The bare server that writes the same rows. */
export async function inReference<Result>(data: string, measure: Measure<Result>): Promise<Result> {
  const path = join(data, "beckon.db");
  await openSqliteStore({ path, clock: systemClock }).close();
  return inBare(path, measure);
}

/** The bare server that writes nothing: it sends the same frames and forgets. */
export function inEcho<Result>(measure: Measure<Result>): Promise<Result> {
  return inBare("--echo", measure);
}

function inBare<Result>(database: string, measure: Measure<Result>): Promise<Result> {
  return withBare("ask/reference.ts", [database], (place) => {
    const open = async () => AskingClient.open(place, await makeSession(place));
    return measure({ ...place, clients: (count) => times(count, open) });
  });
}

async function makeSession({ url }: Place): Promise<string> {
  const socket = new WebSocket(url.replace("http", "ws"));
  await once(socket, "open");
  const made = heard(socket, '"type":"made"');
  socket.send('{"type":"make"}');
  const { session } = JSON.parse((await made).toString()) as { session: { id: string } };
  socket.close();
  return session.id;
}

async function times<Made>(count: number, make: () => Promise<Made>): Promise<Made[]> {
  const made: Made[] = [];
  while (made.length < count) made.push(await make());
  return made;
}
