import type { Command } from "commander";
import type { Io } from "../io.ts";
import { askCommand } from "./ask.ts";
import { callCommand } from "./call.ts";
import { cancelCommand } from "./cancel.ts";
import { chooseCommand } from "./choose.ts";
import { confirmCommand } from "./confirm.ts";
import { waitCommand } from "./wait.ts";

/**
 * What scripts and agents ask with.
 *
 * @param args the whole command line, by which a server may know the tool call that runs it
 */
export function askingCommands(io: Io, args: readonly string[]): Command[] {
  return [
    askCommand(io, args),
    confirmCommand(io, args),
    chooseCommand(io, args),
    waitCommand(io),
    cancelCommand(io),
    callCommand(io, args),
  ];
}
