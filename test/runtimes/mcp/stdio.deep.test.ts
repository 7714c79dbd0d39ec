import { afterEach, beforeEach, expect, test } from "vitest";
import { ERAS } from "./clients.ts";
import { StdioHouse } from "./stdio-house.ts";

let house: StdioHouse;
beforeEach(async () => {
  house = await StdioHouse.open("docs/guide/mcp.md");
});
afterEach(() => house.close());

test.each(ERAS)(
  "a client of %s over HTTP that lost its server asks again, and finds its prompt",
  async (era) => {
    const { port } = new URL(house.server.url);
    const client = await house.connectOverHttp(era);
    const question = { question: "Lost and found?" };
    // Some clients notice only by their own limit that nobody replies any more.
    const first = client.ask("ask", question, { timeout: 2_000 });
    const lost = first.catch((error: unknown) => error);
    const { id } = await house.asked();
    await house.kill();
    expect(await lost).toBeInstanceOf(Error);
    await house.revive("--port", port);
    const again = client.ask("ask", question);
    expect((await house.asked()).id).toBe(id);
    await house.answer(id, "found");
    expect(await again).toEqual({ status: "answered", answer: "found" });
  },
);

test("a `beckon mcp` that was killed and started anew finds what was asked", async () => {
  const client = await house.connect("2025-11-25");
  const question = { question: "Who goes there?" };
  const asking = client.ask("ask", question);
  const lost = asking.catch((error: unknown) => error);
  const { id } = await house.asked();
  process.kill(client.pid, "SIGKILL");
  expect(await lost).toBeInstanceOf(Error);
  const next = await house.connect("2025-11-25");
  const again = next.ask("ask", question);
  expect((await house.asked()).id).toBe(id);
  await house.answer(id, "a friend");
  expect(await again).toEqual({ status: "answered", answer: "a friend" });
});

test("a client that says how long it waits hears in that time that it is pending", async () => {
  const client = await house.connect("2025-11-25", "--wait", "1s");
  const pending = (await client.ask("ask", { question: "Soon?" })) as { id: string };
  expect(pending).toEqual({ status: "pending", id: (await house.asked()).id });
  await house.answer(pending.id, "now");
  const end = await client.ask("wait_for_answer", { id: pending.id });
  expect(end).toMatchObject({ answer: "now" });
});

test("without a server a client is told so, and how to start one", async () => {
  await house.kill();
  await expect(house.connect("2025-11-25")).rejects.toThrow(
    /Start one with: beckon serve|cannot be reached/,
  );
});
