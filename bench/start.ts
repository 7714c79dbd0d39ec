import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { compare, type Figure, withDirectory } from "./figures.ts";
import { serveArguments, withServer } from "./server-process.ts";

const TARGETS = { startMs: 1_000, idleMb: 120 };
const BARE =
  'require("http").createServer().listen(0, "127.0.0.1", () => console.log("listening"))';

/** How long a server takes to listen and what it weighs when idle, beside a bare HTTP server. */
export async function measureStart(rounds: number): Promise<Record<string, Figure>> {
  const beckon: { startMs: number; idleMb: number }[] = [];
  const bare: typeof beckon = [];
  for (let round = 0; round < rounds; round++) {
    bare.push(await measureProcess(["-e", BARE]));
    beckon.push(await withDirectory((data) => measureProcess(serveArguments(data))));
  }
  const figure = (name: keyof typeof TARGETS) =>
    compare(
      beckon.map((one) => one[name]),
      bare.map((one) => one[name]),
      TARGETS[name],
    );
  return {
    "start to listening (ms)": figure("startMs"),
    "idle resident memory (MB)": figure("idleMb"),
  };
}

/** Memory is that of a process which has been idle for a second. */
function measureProcess(args: string[]): Promise<{ startMs: number; idleMb: number }> {
  return withServer(args, async ({ pid, startMs }) => {
    await pause(1_000);
    return { startMs, idleMb: await residentMb(pid) };
  });
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  if (kilobytes === undefined) throw new Error("/proc tells no VmRSS; this bench needs Linux.");
  return Number(kilobytes) / 1_024;
}
