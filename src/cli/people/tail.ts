import { Command, InvalidArgumentError } from "commander";
import type { ChatEvent, SessionRecord, TransientEvent } from "../../protocol/index.ts";
import type { Transport } from "../../transport/index.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import type { Io } from "../io.ts";
import { dataOption } from "../options.ts";
import { Connection } from "../server/connection.ts";
import { sessionPath } from "../server/paths.ts";
import { toEventLines } from "./event-lines.ts";
import { openTransport } from "./open-transport.ts";
import { sayWhenAway } from "./say-when-away.ts";

interface Options {
  data: string;
  lines?: number;
  all?: boolean;
  untilIdle?: boolean;
  json?: boolean;
}

export function tailCommand(io: Io): Command {
  return new Command("tail")
    .description("follow what happens in a session, one line an event")
    .argument("<id>", "the session, as beckon sessions lists it")
    .option("--lines <count>", "begin with the last so many events", toCount)
    .option("--all", "begin with the first event")
    .option("--until-idle", "end when the session has nothing left to do")
    .option("--json", "print each event as one JSON object a line")
    .addOption(dataOption(io.env))
    .action((id: string, options: Options) => tail(io, id, options));
}

async function tail(io: Io, id: string, options: Options): Promise<void> {
  const server = new Connection(io, options.data);
  const session = await server.get<SessionRecord>(sessionPath(id));
  const stop = io.stopSignal(EXIT.interrupted);
  const transport = openTransport(io, options.data, { interactive: false });
  try {
    sayWhenAway(io, transport);
    await follow(io, transport, { session, options, stop });
  } finally {
    transport.close();
  }
}

function follow(
  io: Io,
  transport: Transport,
  { session, options, stop }: { session: SessionRecord; options: Options; stop: AbortSignal },
): Promise<void> {
  const { json, all, lines, untilIdle } = options;
  const print = (event: ChatEvent) => {
    for (const text of json ? [JSON.stringify(event)] : toEventLines(event)) io.out(text);
  };
  return new Promise((resolve, reject) => {
    const interrupted = () => reject(new CommandFailure("Interrupted.", EXIT.interrupted));
    if (stop.aborted) return interrupted();
    stop.addEventListener("abort", interrupted);
    const unread = io.unread?.();
    if (unread?.aborted) return resolve();
    unread?.addEventListener("abort", () => resolve());
    /** How far the log is known to go, how far it was printed, and what runs. */
    let [last, seen, status] = [session.lastSeq, 0, session.status];
    const endWhenIdle = () => {
      if (untilIdle && status === "idle" && seen >= last) resolve();
    };
    const heard = (now: SessionRecord) => {
      if (now.id !== session.id) return;
      last = Math.max(last, now.lastSeq);
      status = now.status;
      endWhenIdle();
    };
    const cursor = all ? {} : lines ? { tail: lines } : { after: session.lastSeq };
    transport.watchSessions({
      updated: heard,
      deleted: () => {},
      stale: () => void transport.session(session.id).then(heard, () => {}),
    });
    transport.subscribe(session.id, cursor, {
      started(at) {
        seen = at.from;
        last = at.lastSeq;
        status = at.session.status;
        endWhenIdle();
      },
      event(event: ChatEvent | TransientEvent) {
        if (!("seq" in event)) return;
        seen = event.seq;
        print(event);
        endWhenIdle();
      },
      failed: ({ error }) => reject(new CommandFailure(error)),
    });
    transport.onConnection(({ state }) => {
      if (state === "signed_out") {
        reject(new CommandFailure("Your token is no longer good.", EXIT.notSignedIn));
      }
    });
  });
}

function toCount(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give a whole number.");
}
