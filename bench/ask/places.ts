import { once } from "node:events";
import { join } from "node:path";
import { WebSocket } from "ws";
import { openSqliteStore } from "../../src/store/index.ts";
import { systemClock } from "../../src/system.ts";
import { heard } from "../connect.ts";
import type { withDirectory } from "../directories.ts";
import type { Opener } from "../lanes.ts";
import { createSession, type Place, withBare, withBeckon } from "../place.ts";
import { type Asker, AskingClient } from "./client.ts";

/** A server, and clients of it, each in a session of its own. */
export interface AskingPlace extends Place {
  openClient(): Promise<Asker>;
}

/** Where a place has its files, and who asks there. */
interface Setting {
  inDirectory: typeof withDirectory;
  /** @default a client that sends messages to the demo agent */
  openClient?: (place: Place, sessionId: string) => Promise<Asker>;
}

/** @param checkout another one than this */
export function inBeckon(setting: Setting, checkout?: string): Opener<AskingPlace> {
  return (measure) =>
    setting.inDirectory((data) =>
      withBeckon(data, (place) => measure(withClients(place, setting, createSession)), {
        checkout,
      }),
    );
}

/** The bare server that writes the same rows. */
export function inReference(setting: Setting): Opener<AskingPlace> {
  return (measure) =>
    setting.inDirectory(async (data) => {
      const path = join(data, "beckon.db");
      await openSqliteStore({ path, clock: systemClock }).close();
      return inBare("ask/reference.ts", path, setting)(measure);
    });
}

/** The bare server that writes nothing: it sends the same frames and forgets. */
export function inEcho(setting: Setting): Opener<AskingPlace> {
  return inBare("ask/reference.ts", "--echo", setting);
}

/** The bare server that writes and sends what the promises need, and no more. */
export function inPromises(setting: Setting): Opener<AskingPlace> {
  return (measure) =>
    setting.inDirectory((data) =>
      inBare("ask/promises.ts", join(data, "promises.db"), setting)(measure),
    );
}

function inBare(program: string, database: string, setting: Setting): Opener<AskingPlace> {
  return (measure) =>
    withBare(program, [database], (place) => measure(withClients(place, setting, makeSession)));
}

function withClients(
  place: Place,
  { openClient = (at, sessionId) => AskingClient.open(at, sessionId) }: Setting,
  makeSessionIn: (place: Place) => Promise<string>,
): AskingPlace {
  return {
    ...place,
    openClient: async () => openClient(place, await makeSessionIn(place)),
  };
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
