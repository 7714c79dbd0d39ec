/**
 * Takes pictures of the page's main states, on two screens and two phones, light and dark, from a
 * real server that runs `/tour`. Run `npm run build` first: `npx tsx scripts/screenshots.ts [FOLDER]`.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright, type Page } from "playwright-core";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = process.argv[2] ?? join(root, "dist", "screenshots");
const SIZES = {
  wide: { width: 1280, height: 860 },
  low: { width: 1280, height: 650 },
  narrow: { width: 390, height: 844 },
  small: { width: 390, height: 664 },
};
const THEMES = ["light", "dark"] as const;

interface Server {
  url: string;
  origin: string;
  token: string;
  stop(): void;
}

async function startServer(): Promise<Server> {
  const data = mkdtempSync(join(tmpdir(), "beckon-pictures-"));
  const child = spawn(process.execPath, [
    join(root, "bin/beckon.js"),
    ...["serve", "--port", "0", "--data", data, "--json"],
    // A tool that gives back what it is told to.
    ...["--plugins", join(root, "test/browser/plugin")],
  ]);
  child.stderr.pipe(process.stderr);
  const lines = createInterface({ input: child.stdout });
  const line = await new Promise<string>((resolve, reject) => {
    lines.once("line", resolve);
    child.once("exit", (code) => reject(new Error(`The server ended with ${code}.`)));
  });
  const { url } = JSON.parse(line) as { url: string };
  return {
    url,
    origin: new URL(url).origin,
    token: readFileSync(join(data, "token"), "utf8").trim(),
    stop() {
      child.kill("SIGTERM");
      child.once("exit", () => rmSync(data, { recursive: true, force: true }));
    },
  };
}

async function launch(): Promise<Browser> {
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    args: chromium.args,
    headless: true,
  });
}

async function each(page: Page, name: string): Promise<void> {
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of THEMES) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(350);
      await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`) });
    }
  }
  await page.setViewportSize(SIZES.wide);
  await page.waitForTimeout(350);
  console.log(name);
}

async function api<T>(server: Server, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${server.origin}/api${path}`, {
    method: body ? "POST" : "GET",
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return (await answer.json()) as T;
}

interface Open {
  id: string;
  toolName: string;
  request: { attempt: number; inputSchema?: { initialValues?: object } };
}

/** Waits until the tour asks, and says what. */
async function nextPrompts(server: Server, sessionId: string, count = 1): Promise<Open[]> {
  for (;;) {
    const { interactions } = await api<{ interactions: Open[] }>(
      server,
      `/interactions?status=pending&sessionId=${sessionId}`,
    );
    if (interactions.length >= count) return interactions;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const ANSWERS: Record<string, (one: Open) => object> = {
  tour_delete: () => ({ action: "approve", approvalScope: "session" }),
  bash: () => ({ action: "approve" }),
  ask_user: () => ({ action: "submit", input: { answer: "Blue" } }),
  ask_questions: () => ({
    action: "submit",
    input: { answers: { 0: "SQLite", 1: '["Tests","Docs"]' } },
  }),
  tour_form: ({ request }) => ({
    action: "submit",
    input: {
      ...request.inputSchema?.initialValues,
      name: request.attempt === 1 ? "Spring" : "Spring 2",
    },
  }),
  tour_secret: () => ({ action: "submit", input: { account: "demo", key: "s3cret" } }),
};

async function takeTour(server: Server, page: Page): Promise<void> {
  const { id } = await api<{ id: string }>(server, "/sessions", { title: "The tour" });
  await page.goto(`${server.origin}/#/s/${id}`);
  await page.waitForSelector("textarea");
  await each(page, "03-empty-session");
  await page.fill("textarea", "/tour");
  await page.keyboard.press("Enter");
  const stops = ["approval", "bash", "question", "questions", "form", "form-again", "secret"];
  for (const [at, stop] of stops.entries()) {
    const [open] = await nextPrompts(server, id);
    if (!open) throw new Error(`The tour did not ask for ${stop}.`);
    await each(page, `1${at}-${stop}`);
    const answer = ANSWERS[open.toolName]?.(open) ?? { action: "cancel" };
    await api(server, `/interactions/${open.id}/respond`, answer);
    await settled(server, open.id);
  }
  const both = await nextPrompts(server, id, 2);
  await each(page, "20-two-at-once");
  await page.goto(`${server.origin}/#/inbox`);
  await each(page, "21-inbox");
  await page.getByText("Settings", { exact: true }).evaluate((one) => one.parentElement?.click());
  await each(page, "26-settings");
  await page.getByRole("switch", { name: "Answering here" }).click();
  await each(page, "27-read-only");
  await page.getByRole("switch", { name: "Answering here" }).click();
  await page.setViewportSize(SIZES.narrow);
  await page.waitForTimeout(300);
  await page.getByRole("button", { name: /^Sessions/ }).click();
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    await page.waitForTimeout(350);
    await page.screenshot({ path: join(folder, `22-drawer-narrow-${colorScheme}.png`) });
  }
  await page.keyboard.press("Escape");
  await page.setViewportSize(SIZES.wide);
  for (const open of both) {
    const answer = ANSWERS[open.toolName]?.(open) ?? { action: "cancel" };
    await api(server, `/interactions/${open.id}/respond`, answer);
    await settled(server, open.id);
  }
  await page.getByRole("button", { name: "Dismiss", exact: true }).first().waitFor();
  await each(page, "25-inbox-answered");
  await page.goto(`${server.origin}/#/s/${id}`);
  await page.getByText("That was all of it").waitFor({ timeout: 20_000 });
  await each(page, "23-late-question");
  const [late] = await nextPrompts(server, id);
  if (late) {
    await api(server, `/interactions/${late.id}/respond`, {
      action: "submit",
      input: { answer: "On **Tuesday**, at ten." },
    });
  }
  await page.getByText("your answer has arrived").waitFor({ timeout: 20_000 });
  await each(page, "24-late-answer");
}

/** What tools gave back: a command that failed, and a change. */
async function showTools(server: Server, page: Page): Promise<void> {
  const { id } = await api<{ id: string }>(server, "/sessions", { title: "Tools" });
  await page.goto(`${server.origin}/#/s/${id}`);
  await page.waitForSelector("textarea");
  const command = "printf 'ok 41 opens the door\\nnot ok 42 locks it again\\n'; exit 1";
  const change = {
    file_path: "src/door.ts",
    old_string: "export function open() {\n  return false;\n}",
    new_string: "export function open() {\n  return isUnlocked();\n}",
    result: { stdout: "1 file changed", stderr: "src/door.ts has no newline at its end" },
  };
  const call = (tool: string, input: object) =>
    api(server, `/sessions/${id}/messages`, { content: `/call ${tool} ${JSON.stringify(input)}` });
  await call("bash", { command });
  const [open] = await nextPrompts(server, id);
  if (open) await api(server, `/interactions/${open.id}/respond`, { action: "approve" });
  await page.getByText("Exit code 1").first().waitFor();
  await each(page, "40-command-failed");
  await call("stage_print", change);
  await page.getByRole("button", { name: /stage_print/ }).click();
  await each(page, "41-change");
}

const LONG_COMMAND = [
  "set -euo pipefail",
  "for name in api worker scheduler web; do",
  '  docker build --pull --tag "registry.example.com/shop/$name:2026-11-18" --file "services/$name/Dockerfile" .',
  '  docker push "registry.example.com/shop/$name:2026-11-18"',
  "done",
  ...Array.from(
    { length: 24 },
    (_, at) => `kubectl --context production rollout restart deployment/shop-${at}`,
  ),
  "kubectl --context production delete pods --all --namespace shop-old",
].join("\n");

const FUNCTION = Array.from({ length: 40 }, (_, at) => `  const step${at} = await load(${at});`);
const CHANGE = {
  file_path: "src/checkout/compute.ts",
  old_string: ["export async function compute() {", ...FUNCTION, "  return 1;", "}"].join("\n"),
  new_string: [
    "export async function compute() {",
    ...FUNCTION.map((line, at) =>
      at === 20 ? line.replace("load", "loadFromTheWarehouseWithRetries") : line,
    ),
    "  return step39.total;",
    "}",
  ].join("\n"),
};

/** Approvals, opened in every way that a person can open them, and what is left of them. */
async function showApprovals(server: Server, page: Page): Promise<void> {
  const { id } = await api<{ id: string }>(server, "/sessions", { title: "Approvals" });
  await page.goto(`${server.origin}/#/s/${id}`);
  await page.waitForSelector("textarea");
  const call = async (tool: string, input: object) => {
    await page.fill("textarea", `/call ${tool} ${JSON.stringify(input)}`);
    await page.keyboard.press("Enter");
    await nextPrompts(server, id);
    await page.getByRole("button", { name: "Allow once" }).waitFor();
  };
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
  await call("bash", { command: LONG_COMMAND });
  await each(page, "50-long-command");
  await button("More").click();
  await each(page, "51-more");
  await button(/^Deny with a reason/).click();
  await page
    .getByRole("textbox", { name: /Why not/ })
    .fill("Not in production. Try staging first.");
  await each(page, "52-reason");
  await button("Back").click();
  await button("Deny").click();
  await page
    .getByText(/^Denied/)
    .first()
    .waitFor();
  await call("stage_gated", CHANGE);
  await each(page, "53-diff");
  await button("More").click();
  await each(page, "54-diff-more");
  await button("Deny").click();
  await page
    .getByText(/^Denied/)
    .nth(1)
    .waitFor();
  await call("bash", { command: "npm publish --access public" });
  await button("More").click();
  await button(/^Edit/).click();
  await page
    .getByRole("textbox", { name: /command/i })
    .first()
    .fill("echo published");
  await each(page, "55-editing");
  await page.getByRole("button", { name: /^Allow once/ }).click();
  await page
    .getByText(/edited/i)
    .first()
    .waitFor();
  await each(page, "56-edited");
  await page.getByRole("button", { name: /bash/ }).last().click();
  await each(page, "57-edited-block");
}

/** Several prompts of several sessions, in the inbox. */
async function showInbox(server: Server, page: Page): Promise<void> {
  const commands = ["npm install package-8", "git push --force origin main", LONG_COMMAND];
  const asks = [
    ...commands.map((command) => `/call bash ${JSON.stringify({ command })}`),
    '/call ask_user {"question":"Which region shall the new cluster run in?"}',
  ];
  for (const [at, content] of asks.entries()) {
    const { id } = await api<{ id: string }>(server, "/sessions", { title: `Errand ${at + 1}` });
    await api(server, `/sessions/${id}/messages`, { content });
    await nextPrompts(server, id);
  }
  await page.goto(`${server.origin}/#/inbox`);
  await page.getByText("Which region").first().waitFor();
  await each(page, "60-full-inbox");
}

async function settled(server: Server, id: string): Promise<void> {
  await api(server, `/interactions/${id}?wait=20`);
}

const MARKDOWN = [
  "# A release in three steps",
  "Some *words* and **more**, `code`, and [a link](https://example.com).",
  "",
  "1. Build it",
  "2. Try it\n   - on a phone\n   - on a desk",
  "3. Ship it",
  "",
  "> Nothing is done until it is looked at.",
  "",
  "| What | How much |\n| --- | ---: |\n| Script | 120 kB |\n| Style | 6 kB |",
  "",
  "```ts\nexport const answer = 42; // a line that is long enough to scroll on a narrow screen, surely\n```",
  "",
  "<img src=x onerror=alert(1)> stays text, and so does ![a picture](https://example.com/x.png).",
].join("\n");

async function main(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const server = await startServer();
  const browser = await launch();
  try {
    const page = await browser.newPage();
    page.on("pageerror", (error) => console.error("page error:", error));
    page.on("console", (message) => {
      if (message.type() === "error") console.error("console:", message.text());
    });
    await page.goto(server.origin);
    await page.waitForSelector("h1");
    await each(page, "01-sign-in");
    await page.fill("#paste", server.url);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Agents ask, you answer").waitFor();
    await each(page, "02-start");
    await takeTour(server, page);
    const { id } = await api<{ id: string }>(server, "/sessions", { title: "Markdown" });
    await page.goto(`${server.origin}/#/s/${id}`);
    await page.waitForSelector("textarea");
    await page.fill("textarea", MARKDOWN);
    await page.keyboard.press("Enter");
    await page.getByText("You wrote:").waitFor();
    await each(page, "30-markdown");
    await page.fill("textarea", '/parallel bash {"command":"sleep 3; seq 1 5"} | nope {"a":1}');
    await page.keyboard.press("Enter");
    await nextPrompts(server, id);
    await page.fill("textarea", "one more thing");
    await each(page, "31-waiting-with-draft");
    await showTools(server, page);
    await showApprovals(server, page);
    await showInbox(server, page);
    await page.getByRole("button", { name: "New session with a choice" }).first().click();
    await each(page, "42-new-session");
    await page.keyboard.press("Escape");
    server.stop();
    await page.getByText("The connection is lost.", { exact: true }).waitFor();
    await each(page, "43-connection-lost");
  } finally {
    await browser.close();
    server.stop();
  }
}

await main();
