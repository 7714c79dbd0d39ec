import type { Command } from "commander";
import type { Io } from "../io.ts";
import { answerCommand } from "./answer.ts";
import { grantsCommand } from "./grants.ts";
import { inboxCommand } from "./inbox.ts";
import { newCommand } from "./new.ts";
import { sendCommand } from "./send.ts";
import { sessionsCommand } from "./sessions.ts";
import { tailCommand } from "./tail.ts";

/** What people do from a terminal: see what waits, answer it, talk to sessions, take back a yes. */
export function peopleCommands(io: Io): Command[] {
  return [
    inboxCommand(io),
    answerCommand(io),
    newCommand(io),
    sessionsCommand(io),
    tailCommand(io),
    sendCommand(io),
    grantsCommand(io),
  ];
}
