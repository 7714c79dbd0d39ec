import { styleText } from "node:util";

const colours = process.stdout.isTTY && !process.env["NO_COLOR"];

/**
 * @param {Parameters<typeof styleText>[0]} style
 * @param {string} text
 */
export function styled(style, text) {
  return colours && text !== "" ? styleText(style, text) : text;
}

/**
 * A line of the story, with the seconds since the demo began.
 *
 * @param {string} who
 * @param {string} what
 * @param {Parameters<typeof styleText>[0]} [style]
 */
export function tell(who, what, style = "reset") {
  const seconds = `${(performance.now() / 1_000).toFixed(1)} s`.padStart(8);
  console.log(`${styled("dim", seconds)}  ${styled(style, who.padEnd(9))} ${what}`);
}

/** @param {import("./report.js").Row[]} rows */
export function printReport(rows) {
  const width = Math.max(...rows.map(({ label }) => label.length));
  console.log("");
  for (const { label, value, note = "", ok } of rows) {
    const mark = ok ? " " : styled("red", "✗");
    console.log(
      `${mark} ${label.padEnd(width)}  ${value.padStart(4)}  ${styled("dim", note)}`.trimEnd(),
    );
  }
  const kept = rows.every(({ ok }) => ok);
  console.log("");
  console.log(
    kept
      ? styled("green", "Nothing was lost, and nothing was done or decided twice.")
      : styled("red", "Something did not hold: see the lines marked with ✗."),
  );
  return kept;
}

/** @param {import("./window.js").Window[]} windows */
export function printCounts(windows) {
  for (const [index, { counts }] of windows.entries()) {
    const { sent, sentAgain, accepted, tooLate } = counts;
    const words = `${sent} answers sent, ${sentAgain} of them again after an outage; `;
    console.log(
      styled("dim", `window ${index + 1}: ${words}${accepted} accepted, ${tooLate} too late`),
    );
  }
}

/** @param {{ data: string, every: number | null }} options */
export function printWelcome({ data, every }) {
  const often = every === null ? "again and again" : `every ${every / 1_000} seconds`;
  console.log(`An agent makes a release and asks you five times, while its server is killed ${often}.
Just answer. Type a wrong tag first, to be asked again. In a second window you can answer as well:

  npm run demo:unkillable -- answer --data ${data}

The first answer wins. Ctrl+C stops; what is answered stays answered.`);
}
