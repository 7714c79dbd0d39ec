import { Command, Option } from "commander";
import { withData } from "./data.ts";
import { CommandFailure, EXIT } from "./failure.ts";
import type { Io } from "./io.ts";
import { dataOption, storeOf, storeOption } from "./options.ts";

interface Options {
  data: string;
  store?: string;
  kind: "machine" | "person";
  name?: string;
  session?: string;
}

export function tokenCreateCommand(io: Io): Command {
  return new Command("create")
    .description("print a new token; it works at once, whether the server runs or not")
    .addOption(
      new Option("--kind <kind>", "machines ask, people decide")
        .choices(["machine", "person"])
        .makeOptionMandatory(),
    )
    .option("--name <name>", "whom it is for")
    .option("--session <id>", "let a machine into this session only")
    .addOption(dataOption(io.env))
    .addOption(storeOption())
    .action((options: Options) => create(io, options));
}

async function create(io: Io, options: Options): Promise<void> {
  const { data, kind, name, session } = options;
  const url = storeOf(io.env, options.store);
  if (session !== undefined && kind === "person") {
    throw new CommandFailure(
      "--session is for machines: a person may see every session.",
      EXIT.usage,
    );
  }
  await withData({ directory: data, url, create: true }, async ({ credentials, store }) => {
    const row = session === undefined ? undefined : await store.session(session);
    if (row === null || (row && row.deletedAt !== null)) {
      throw new CommandFailure(`There is no session ${session}.`);
    }
    const { id, token } = await credentials.createToken({
      holder: { kind, name: name ?? kind },
      sessionId: session,
    });
    io.err(
      `The new token of a ${kind}. It is shown only now. To end it: beckon token revoke ${id}`,
    );
    io.out(token);
  });
}
