import { readFileSync } from "node:fs";
import { join } from "node:path";
import { WebSocket } from "ws";
import { openSqliteStore } from "../../src/store/index.ts";
import { systemClock } from "../../src/system.ts";
import { compareRatio, type Figure, withDirectory } from "../figures.ts";
import { root, serveArguments, withServer } from "../server-process.ts";
import { AskingClient } from "./client.ts";

const TARGETS = { alone: 1.5, together: 2, cpu: 2 };
const TOGETHER = 50;

interface Place {
  url: string;
  token?: string;
  pid: number;
  session(): Promise<string>;
}

interface Speed {
  /** Milliseconds of each turn, one after the other. */
  alone: number[];
  /** Turns a second with many sessions at once. */
  perSecond: number;
  /** Milliseconds of processor time a turn, with many at once. */
  cpuMs: number;
}

/** A turn that asks and is answered, beside a bare server that writes and sends the same. */
export async function measureAsk(turns: number): Promise<Record<string, Figure>> {
  const bare = await withDirectory((data) => inReference(data, (place) => speed(place, turns)));
  const beckon = await withDirectory((data) => inBeckon(data, (place) => speed(place, turns)));
  return {
    "ask, answer, result: alone (ms)": compareRatio(beckon.alone, bare.alone, TARGETS.alone),
    [`the same, ${TOGETHER} sessions at once (ms a turn)`]: compareRatio(
      [1_000 / beckon.perSecond],
      [1_000 / bare.perSecond],
      TARGETS.together,
    ),
    "processor time of the server a turn (ms)": compareRatio(
      [beckon.cpuMs],
      [bare.cpuMs],
      TARGETS.cpu,
    ),
  };
}

async function speed(place: Place, turns: number): Promise<Speed> {
  const one = await AskingClient.open(place.url, await place.session(), place.token);
  for (let warm = 0; warm < 20; warm++) await one.ask();
  const alone: number[] = [];
  for (let turn = 0; turn < turns; turn++) alone.push(await one.ask());
  await one.close();
  const many = await Promise.all(
    Array.from({ length: TOGETHER }, async () =>
      AskingClient.open(place.url, await place.session(), place.token),
    ),
  );
  await Promise.all(many.map((client) => client.ask()));
  const each = Math.ceil(turns / 10);
  const cpu = cpuMsOf(place.pid);
  const began = performance.now();
  await Promise.all(
    many.map(async (client) => {
      for (let turn = 0; turn < each; turn++) await client.ask();
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  const done = each * TOGETHER;
  const cpuMs = (cpuMsOf(place.pid) - cpu) / done;
  await Promise.all(many.map((client) => client.close()));
  return { alone, perSecond: done / seconds, cpuMs };
}

function inBeckon<Result>(data: string, work: (place: Place) => Promise<Result>): Promise<Result> {
  return withServer(serveArguments(data), async ({ line, pid }) => {
    const { url } = JSON.parse(line) as { url: string };
    const { origin } = new URL(url);
    const token = readFileSync(join(data, "token"), "utf8").trim();
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const session = async () => {
      const reply = await fetch(`${origin}/api/sessions`, { method: "POST", headers, body: "{}" });
      return ((await reply.json()) as { id: string }).id;
    };
    return work({ url: origin, token, pid, session });
  });
}

async function inReference<Result>(
  data: string,
  work: (place: Place) => Promise<Result>,
): Promise<Result> {
  const path = join(data, "beckon.db");
  await openSqliteStore({ path, clock: systemClock }).close();
  const program = ["--import", "tsx", join(root, "bench", "ask", "reference.ts"), path];
  return withServer(program, async ({ line, pid }) => {
    const { url } = JSON.parse(line) as { url: string };
    const socket = new WebSocket(url.replace("http", "ws"));
    await new Promise((resolve) => socket.once("open", resolve));
    const session = () =>
      new Promise<string>((resolve) => {
        socket.once("message", (data: Buffer) => {
          resolve((JSON.parse(data.toString()) as { session: { id: string } }).session.id);
        });
        socket.send('{"type":"make"}');
      });
    const ids: string[] = [];
    for (let count = 0; count <= TOGETHER; count++) ids.push(await session());
    socket.close();
    return work({ url, pid, session: async () => ids.pop() ?? "" });
  });
}

/** Linux counts in hundredths of a second. */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
