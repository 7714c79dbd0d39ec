import { join } from "node:path";
import { connect, disconnect, heard } from "../connect.ts";
import { withMemoryDirectory } from "../directories.ts";
import { beyondBare, figure, type Figures, noTarget } from "../figures.ts";
import { createSession, type Place, withBare, withBeckon } from "../place.ts";
import { root } from "../server-process.ts";
import type { Sizes } from "../sizes.ts";

const TARGET_KIB = 2;
const AT_ONCE = 20;
/** Of fewer texts one would weigh what else the process does. */
const TEXTS = 10_000;
/** Has a tool that is gone after a restart, and so has to be held until somebody answers. */
const PLUGIN = join(root, "test", "browser", "plugin");
const FLEETING = { type: "input", prompt: "Which one?", inputSchema: { type: "form", fields: [] } };
const ASKS = {
  replayed: '/call ask_user {"question":"Which one?"}',
  held: `/call stage_fleeting ${JSON.stringify({ request: FLEETING })}`,
};

/**
 * What an open prompt holds in the server that asked it, each in a turn and a session of its own,
 * beside its stored text in a map. Before them so many are asked that everything is full of which
 * the server keeps some only: closures, rows, and what it last said of sessions.
 */
export async function measurePrompts(sizes: Sizes): Promise<Figures> {
  const { promptsBefore: before, heldPrompts: count } = sizes;
  const replayed = await weighPrompts(ASKS.replayed, count, before);
  const held = await weighPrompts(ASKS.held, count, before);
  const reference = "a map of their stored texts";
  const unit = "KiB";
  return {
    "memory.prompt": figure({
      what: `heap of the server for each of ${count} more open prompts`,
      reference,
      unit,
      ...replayed,
      target: beyondBare(TARGET_KIB),
    }),
    "memory.heldPrompt": figure({
      what: "the same of a tool that cannot be replayed, whose closures have to be held",
      reference,
      unit,
      ...held,
      target: noTarget,
    }),
  };
}

async function weighPrompts(message: string, count: number, before: number) {
  const { weight, text } = await withMemoryDirectory((data) =>
    withBeckon(data, (place) => weigh(place, message, count, before), {
      more: ["--plugins", PLUGIN],
    }),
  );
  return { beckon: [weight], bare: [await weighTexts(text)] };
}

async function weigh(place: Place, message: string, count: number, before: number) {
  await askAll(place, ASKS.replayed, before);
  // Code that no ask has run before is compiled.
  await askAll(place, message, Math.ceil(before / 20));
  const empty = await place.usage({ collect: true });
  const sessionId = await askAll(place, message, count);
  const full = await place.usage({ collect: true });
  const address = `${place.url}/api/interactions?sessionId=${sessionId}`;
  const reply = await fetch(address, { headers: place.headers });
  const { interactions } = (await reply.json()) as { interactions: { request: unknown }[] };
  return {
    weight: (full.heapBytes - empty.heapBytes) / count / 1_024,
    text: JSON.stringify(interactions[0]?.request),
  };
}

/** Gives the session of the last one. */
async function askAll(place: Place, text: string, count: number): Promise<string> {
  const person = await connect(place);
  let last = "";
  const listed = heard(person, '"type":"inbox"');
  person.send(JSON.stringify({ type: "subscribe", inbox: true }));
  await listed;
  for (let asked = 0; asked < count; asked += AT_ONCE) {
    const lot = Math.min(AT_ONCE, count - asked);
    await Promise.all(
      Array.from({ length: lot }, async () => {
        const sessionId = await createSession(place);
        const asking = heard(person, '"type":"interaction_updated"', sessionId);
        person.send(JSON.stringify({ type: "user_message", sessionId, text }));
        await asking;
        last = sessionId;
      }),
    );
  }
  await disconnect(person);
  return last;
}

function weighTexts(text: string): Promise<number> {
  return withBare("memory/texts.ts", [], async (place) => {
    const socket = await connect(place);
    const empty = await place.usage({ collect: true });
    const kept = heard(socket, '"type":"kept"');
    socket.send(JSON.stringify({ count: TEXTS, text }));
    await kept;
    const full = await place.usage({ collect: true });
    await disconnect(socket);
    return (full.heapBytes - empty.heapBytes) / TEXTS / 1_024;
  });
}
