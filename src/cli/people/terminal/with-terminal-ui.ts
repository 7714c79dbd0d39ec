import { CommandFailure, EXIT } from "../../failure.ts";
import type { Io, Terminal } from "../../io.ts";
import { Connection } from "../../server/connection.ts";
import { openTransport } from "../open-transport.ts";
import type { TerminalUi } from "./terminal-ui.ts";
import { Drafts } from "./drafts.ts";
import { Keyboard } from "./keyboard.ts";
import { Screen } from "./screen.ts";

/**
 * Takes over a person's terminal for `work`, and gives it back as it was, however that ends. While it
 * lasts the person counts as there, so tools that need somebody can ask.
 */
export async function withTerminalUi<Result>(
  io: Io,
  terminal: Terminal,
  data: string,
  work: (ui: TerminalUi) => Promise<Result>,
): Promise<Result> {
  await checkPerson(io, data);
  const stop = io.stopSignal(EXIT.interrupted);
  const transport = openTransport(io, data, { interactive: true });
  const keyboard = new Keyboard(terminal.input);
  const screen = new Screen(terminal.output, { colours: !io.env["NO_COLOR"] });
  const ui: TerminalUi = { screen, keyboard, transport, drafts: new Drafts() };
  const signedOut = new Promise<never>((_resolve, reject) => {
    transport.onConnection(({ state }) => {
      if (state !== "signed_out") return;
      reject(new CommandFailure("Your token is no longer good.", EXIT.notSignedIn));
    });
  });
  stop.addEventListener("abort", keyboard.interrupt);
  try {
    return await Promise.race([work(ui), keyboard.interrupted, signedOut]);
  } finally {
    screen.close();
    keyboard.close();
    transport.close();
  }
}

/** Says what is wrong with the server or the token before anything is drawn. */
async function checkPerson(io: Io, data: string): Promise<void> {
  type Me = { principal: { kind: "person" | "machine" } };
  const { principal } = await new Connection(io, data).get<Me>("/api/auth/me");
  if (principal.kind === "person") return;
  throw new CommandFailure(
    "A machine's token may ask and cannot answer. Answer with a person's token, or list with --json.",
  );
}
