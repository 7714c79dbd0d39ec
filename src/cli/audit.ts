import { Command } from "commander";
import { auditHeadsCommand } from "./audit-heads.ts";
import { auditListCommand } from "./audit-list.ts";
import { auditVerifyCommand } from "./audit-verify.ts";
import type { Io } from "./io.ts";

export function auditCommand(io: Io): Command {
  return new Command("audit")
    .description("who decided what, and whether the record is whole")
    .addCommand(auditListCommand(io))
    .addCommand(auditVerifyCommand(io))
    .addCommand(auditHeadsCommand(io));
}
