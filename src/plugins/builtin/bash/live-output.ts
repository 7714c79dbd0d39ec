import { StringDecoder } from "node:string_decoder";
import type { CommandLimits } from "./command-limits.ts";

export interface LiveOutput {
  add(chunk: Buffer): void;
  /** Shows what is still gathered. Nothing is shown afterwards. */
  finish(): void;
}

interface LiveOutputOptions {
  limits: Pick<CommandLimits, "liveBytes" | "pieceBytes" | "pieceMs">;
  show: (text: string) => void;
  /** Calls back once after some milliseconds; returns what takes it back. */
  timer: (ms: number, callback: () => void) => () => void;
}

const NO_MORE =
  "\n[There is more output than is shown while a command runs: see its result when it has ended.]\n";

/** Shows output while it comes: whole characters, in pieces that are neither tiny nor too many. */
export function createLiveOutput({ limits, show, timer }: LiveOutputOptions): LiveOutput {
  const decoder = new StringDecoder("utf8");
  let gathered = "";
  let left: number = limits.liveBytes;
  let isOver = false;
  let cancelTimer: (() => void) | undefined;

  function flush(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    const text = gathered;
    gathered = "";
    if (text === "" || isOver) return;
    left -= Buffer.byteLength(JSON.stringify(text));
    isOver = left < 0;
    show(isOver ? NO_MORE : text);
  }

  return {
    add(chunk) {
      for (let at = 0; at < chunk.length && !isOver; at += limits.pieceBytes) {
        gathered += decoder.write(chunk.subarray(at, at + limits.pieceBytes));
        if (gathered.length >= limits.pieceBytes) flush();
      }
      if (gathered !== "") cancelTimer ??= timer(limits.pieceMs, flush);
    },
    finish() {
      gathered += decoder.end();
      flush();
      isOver = true;
    },
  };
}
