import type { Place } from "../place.ts";
import { median } from "../figures.ts";
import type { AskingClient } from "./client.ts";

/** The median of asks that follow each other. */
export async function askAlone(client: AskingClient, asks: number): Promise<number> {
  const took: number[] = [];
  for (let count = 0; count < asks; count++) took.push(await client.ask());
  return median(took);
}

/** What one ask takes of time and processor when all of these clients ask at once. */
export async function askTogether(
  place: Place,
  clients: AskingClient[],
  each: number,
): Promise<{ perSecond: number; cpuMs: number }> {
  const before = await place.usage();
  const began = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      for (let count = 0; count < each; count++) await client.ask();
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  const done = clients.length * each;
  return {
    perSecond: done / seconds,
    cpuMs: ((await place.usage()).cpuMs - before.cpuMs) / done,
  };
}
