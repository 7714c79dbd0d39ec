import { Command } from "commander";
import type { Io } from "./io.ts";
import { tokenCreateCommand } from "./token-create.ts";
import { tokenListCommand } from "./token-list.ts";
import { tokenRevokeCommand } from "./token-revoke.ts";

export function tokenCommand(io: Io): Command {
  return new Command("token")
    .description("make, list and revoke credentials")
    .addCommand(tokenCreateCommand(io))
    .addCommand(tokenListCommand(io))
    .addCommand(tokenRevokeCommand(io));
}
