import type { FrameChannel } from "../../src/protocol/index.ts";
import { createFakeClock } from "../../src/testing/index.ts";
import { createFrameClient, type FrameClientOptions } from "../../src/transport/frame-client.ts";

type Frame = Record<string, unknown> & { type: string };

/** The far end of one channel, as a test plays it. */
class ScriptedLine {
  readonly sent: Frame[] = [];
  isClosed = false;
  readonly channel: FrameChannel = {
    send: (text) => void this.sent.push(JSON.parse(text) as Frame),
    close: () => {
      this.isClosed = true;
    },
  };

  say(...frames: Frame[]): void {
    for (const frame of frames) this.channel.onFrame?.(JSON.stringify(frame));
  }

  welcome(serverTime?: string): void {
    const welcome = { type: "welcome", protocolVersion: 1, connectionId: "c", serverVersion: "1" };
    this.say({ ...welcome, serverTime });
  }

  /** Confirms the subscription that was asked for last. */
  subscribed(lastSeq: number, logId = "log1"): void {
    const { ref, sessionId } = this.last("subscribe");
    this.say({ type: "subscribed", ref, session: { id: sessionId, lastSeq }, lastSeq, logId });
  }

  events(...seqs: number[]): void {
    for (const seq of seqs) {
      this.say({ type: "chat_event", sessionId: "s1", event: { seq, type: "text" } });
    }
  }

  of(type: string): Frame[] {
    return this.sent.filter((frame) => frame.type === type);
  }

  last(type: string): Frame {
    return this.of(type).at(-1) as Frame;
  }

  end(code = 1006): void {
    this.channel.onClose?.(code, "");
  }
}

/** A client of frames, the far ends of the channels that it opened, and a clock that stands still. */
export function startScripted(options: Partial<FrameClientOptions> & { random?: number } = {}) {
  const clock = createFakeClock();
  const lines: ScriptedLine[] = [];
  const { random = 0, ...more } = options;
  const client = createFrameClient({
    open() {
      const line = new ScriptedLine();
      lines.push(line);
      return line.channel;
    },
    fetch: () => Promise.reject(new TypeError("fetch failed")),
    baseUrl: "http://localhost",
    clientId: "phone",
    timers: { ...clock, random: () => random },
    ...more,
  });
  /** The line that was opened last. */
  const line = () => lines.at(-1) as ScriptedLine;
  /** Milliseconds until the next try. */
  const wait = () => (client.connection().retryAt ?? Number.NaN) - clock.now();
  return { client, clock, lines, line, wait };
}

export function listenToLog() {
  const heard: unknown[] = [];
  const listener = {
    started: ({ from, logId }: { from: number; logId: string }) =>
      void heard.push(`started ${logId} from ${from}`),
    event: (event: { seq?: number; type: string }) => void heard.push(event.seq ?? event.type),
    failed: ({ code }: { code: string }) => void heard.push(`failed ${code}`),
  };
  return { heard, listener };
}
