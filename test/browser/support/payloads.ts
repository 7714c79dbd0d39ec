import { images } from "./payloads/images.ts";
import { links } from "./payloads/links.ts";
import { markup } from "./payloads/markup.ts";
import type { Payload } from "./payloads/payload.ts";
import { quiet } from "./payloads/quiet.ts";

/**
 * Hostile texts that differ in kind. The harness's own tests show of each that is not quiet that a
 * careless page would be caught with it.
 */
export const PAYLOADS: readonly Payload[] = [...markup, ...links, ...images, ...quiet];

/** Those that do something only where they are the whole text: names that every object knows. */
const ALONE = /^(\w+-name)$/;

/** All payloads in few texts, because a page takes its time with each: as many as fit into one. */
export function packs(): Payload[][] {
  const packed: Payload[][] = [];
  let bytes = Infinity;
  for (const payload of PAYLOADS) {
    const size = Buffer.byteLength(JSON.stringify(payload.text));
    if (ALONE.test(payload.name)) packed.unshift([payload]);
    else if (bytes + size <= PACK_BYTES) {
      packed.at(-1)?.push(payload);
      bytes += size;
    } else {
      packed.push([payload]);
      bytes = size;
    }
  }
  return packed;
}

const PACK_BYTES = 1_100;
