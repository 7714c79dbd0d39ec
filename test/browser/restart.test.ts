import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ServerProcess } from "../process/server-process.ts";
import { BrowserHouse } from "./house.ts";

const directory = mkdtempSync(join(tmpdir(), "beckon-restart-"));
let house: BrowserHouse;
beforeAll(async () => {
  house = await BrowserHouse.open();
});
afterAll(async () => {
  await house.close();
  rmSync(directory, { recursive: true, force: true });
});

test("a page whose server is killed and started again goes on with the same prompt", async () => {
  const data = join(directory, "data");
  const first = await ServerProcess.start(data);
  const { port } = new URL(first.url);
  const session = (await first.http("POST", "/api/sessions", { title: "Survives" })).body.id;
  const page = await house.stranger();
  await page.goto(`${first.url}/#code=${first.code}`);
  await page.getByText("Agents ask, you answer").waitFor();
  await page.goto(`${first.url}/#/s/${session}`);
  const composer = page.getByRole("textbox").first();
  await composer.fill('/call bash {"command":"echo still here"}');
  await composer.press("Enter");
  await page.getByRole("button", { name: "Allow once" }).waitFor();
  await first.end("SIGKILL");
  const second = await ServerProcess.start(data, "--port", port);
  await page.getByRole("button", { name: "Allow once" }).click();
  await page.getByText('"exitCode":0').first().waitFor();
  const { events } = (await second.http("GET", `/api/sessions/${session}/events`)).body;
  const responses = events.filter(({ type }: { type: string }) => type === "interaction_response");
  expect(responses).toHaveLength(1);
  expect(await second.end("SIGTERM")).toBe(0);
});
