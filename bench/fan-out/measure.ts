import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { WebSocket } from "ws";
import { connect, disconnect, heard } from "../connect.ts";
import { withMemoryDirectory } from "../directories.ts";
import { atMost, figure, type Figures } from "../figures.ts";
import { type Opener, takeTurns, withLanes } from "../lanes.ts";
import { createSession, type Place, withBare, withBeckon } from "../place.ts";
import type { Sizes } from "../sizes.ts";

const TARGET = 1.3;
/** The last event of a turn. What else is told of a session comes soon after, or is not told. */
const LAST = '"type":"turn_end"';

interface Audience {
  place: Place;
  sockets: WebSocket[];
  /** What starts a turn, sent by the first of them. */
  message: string;
}

/**
 * One turn that everybody in a session hears, beside a bare broadcast of the frames that it was
 * told in. Without a disk: what the store costs is in the figures of asking.
 */
export function measureFanOut(sizes: Sizes, rival?: string): Promise<Figures> {
  return inBeckon(sizes)(async (beckon) => {
    const frames = await record(beckon, sizes.toldTurns);
    const openers = {
      bare: inBare(sizes, frames),
      rival: rival === undefined ? undefined : inBeckon(sizes, rival),
    };
    const took = await withLanes(openers, ({ bare, rival: theirs }) =>
      takeTurns({ bare, beckon, rival: theirs }, sizes.rounds, (audience) =>
        costOf(audience, sizes.toldTurns),
      ),
    );
    return toFigures(took, Math.round(frames.flat().length / frames.length), sizes);
  });
}

function toFigures(
  took: Record<"bare" | "beckon" | "rival", Cost[]>,
  frames: number,
  { clients }: Sizes,
): Figures {
  const compared = (what: string, of: keyof Cost) =>
    figure({
      what,
      reference: "a bare ws broadcast of the same bytes",
      unit: "ms",
      beckon: took.beckon.map((cost) => cost[of]),
      bare: took.bare.map((cost) => cost[of]),
      rival: took.rival.map((cost) => cost[of]),
      target: atMost(TARGET),
    });
  return {
    "fanout.time": compared(
      `a turn (${frames} frames) until each of ${clients} clients has heard its end`,
      "ms",
    ),
    "fanout.cpu": compared("processor time of the server for that", "cpuMs"),
  };
}

function inBeckon({ clients }: Sizes, checkout?: string): Opener<Audience> {
  return (measure) =>
    withMemoryDirectory((data) =>
      withBeckon(
        data,
        async (place) => {
          const sessionId = await createSession(place);
          const text = "Hello, everybody";
          const message = JSON.stringify({ type: "user_message", sessionId, text });
          return withAudience(place, clients, message, sessionId, measure);
        },
        { checkout },
      ),
    );
}

function inBare({ clients }: Sizes, frames: string[][]): Opener<Audience> {
  return (measure) =>
    withMemoryDirectory(async (directory) => {
      const path = join(directory, "frames.json");
      await writeFile(path, JSON.stringify(frames));
      return withBare("fan-out/reference.ts", [path], (place) =>
        withAudience(place, clients, "go", "any", measure),
      );
    });
}

interface Cost {
  ms: number;
  cpuMs: number;
}

async function costOf(audience: Audience, turns: number): Promise<Cost> {
  const before = await audience.place.usage();
  const began = performance.now();
  for (let count = 0; count < turns; count++) await turn(audience);
  const ms = (performance.now() - began) / turns;
  const { cpuMs } = await audience.place.usage();
  return { ms, cpuMs: (cpuMs - before.cpuMs) / turns };
}

async function withAudience<Result>(
  place: Place,
  count: number,
  message: string,
  sessionId: string,
  measure: (audience: Audience) => Promise<Result>,
): Promise<Result> {
  const sockets = await Promise.all(
    Array.from({ length: count }, () => connect(place, { sessionId })),
  );
  const result = await measure({ place, sockets, message });
  await disconnect(...sockets);
  return result;
}

async function turn({ sockets, message }: Audience): Promise<void> {
  const heardAll = Promise.all(sockets.map((socket) => heard(socket, LAST)));
  sockets[0]?.send(message);
  await heardAll;
}

/** What one client that says nothing is told, turn by turn. */
async function record(audience: Audience, turns: number): Promise<string[][]> {
  const recorded: string[][] = [];
  let frames: string[] = [];
  const keep = (data: Buffer) => {
    frames.push(data.toString());
    if (!data.includes(LAST)) return;
    recorded.push(frames);
    frames = [];
  };
  const last = audience.sockets.at(-1);
  last?.on("message", keep);
  for (let count = 0; count < turns; count++) await turn(audience);
  last?.off("message", keep);
  return recorded;
}
