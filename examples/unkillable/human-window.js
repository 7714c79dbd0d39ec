import { humanPerson } from "./human.js";
import { styled } from "./say.js";
import { Terminal } from "./terminal.js";
import { Window } from "./window.js";

/**
 * A window for a person at this terminal.
 *
 * @param {{ api: import("./api.js").Api, sessionId: string }} demo
 * @param {{
 *   onSecret: (secret: string) => void, onInterrupt: () => void, onOutage?: () => void,
 * }} options
 */
export function openHumanWindow({ api, sessionId }, options) {
  const terminal = new Terminal(options.onInterrupt);
  const window = new Window({
    api,
    sessionId,
    decide: humanPerson(terminal, options.onSecret),
    onAccepted: () => terminal.print(styled("green", "  accepted")),
    onTooLate: (who) => terminal.print(styled("dim", `  ${who} was first`)),
    onOutage: options.onOutage,
  });
  return { terminal, window };
}
