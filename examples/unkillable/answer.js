import { Api } from "./api.js";
import { searchFiles } from "./facts.js";
import { openHumanWindow } from "./human-window.js";
import { readLives } from "./lives.js";
import { createPersonToken } from "./person-token.js";
import { placeIn, readRunning } from "./place.js";

/**
 * A second window on a demo that runs elsewhere. Ends when that one does.
 *
 * @param {{ data: string, name: string }} options
 */
export async function answer({ data, name }) {
  const place = placeIn(data);
  const running = readRunning(place);
  if (!running || running.ended) throw new Error(`No demo is running in ${data}.`);
  const api = new Api(running.url, await createPersonToken(data, name));
  const over = new AbortController();
  /** @type {string[]} */
  const secrets = [];
  const { terminal, window } = openHumanWindow(
    { api, sessionId: running.sessionId },
    {
      onSecret: (secret) => secrets.push(secret),
      onInterrupt: () => over.abort(),
      onOutage() {
        if (readRunning(place)?.ended ?? true) return over.abort();
        const kills = readLives(place.lives).filter(({ what }) => what === "killed").length;
        terminal.setStatus(`killed ${kills} ×`);
      },
    },
  );
  terminal.print(`You are "${name}". The first answer wins, here or in the other window.`);
  await window.run(over.signal);
  terminal.close();
  if (secrets.length === 0) return;
  const { files, foundIn } = searchFiles(data, secrets);
  console.log(`The secret you typed here was found in ${foundIn.length} of ${files} files.`);
  if (foundIn.length > 0) throw new Error(`It is in ${foundIn.join(", ")}.`);
}
