import { expect, test } from "vitest";
import { browserTests } from "../support/index.ts";

const at = browserTests();

async function open(title: string) {
  const { id } = await at.place.session({ title });
  const window = await at.signIn({ path: `/#/s/${id}` });
  const message = window.page.getByRole("textbox", { name: "Message" });
  await window.sees("A new conversation");
  return { id, window, page: window.page, message };
}
const sent = async (id: string) =>
  (await at.place.events(id)).filter(({ type }) => type === "user_message").length;

test("Enter sends, Shift+Enter does not, an input method's Enter does not, and a long text grows", async () => {
  const { id, page, message } = await open("Keys");
  await message.fill("");
  await message.press("Enter");
  await message.pressSequentially("one");
  await message.press("Shift+Enter");
  await message.pressSequentially("two");
  const heightOf = async () => (await message.boundingBox())?.height ?? 0;
  const two = await heightOf();
  for (const init of [{ isComposing: true }, { keyCode: 229 }]) {
    await message.evaluate((area, more) => {
      const how = { key: "Enter", bubbles: true, cancelable: true, ...more };
      area.dispatchEvent(new KeyboardEvent("keydown", how));
    }, init);
  }
  expect(await message.inputValue()).toBe("one\ntwo");
  expect(await sent(id)).toBe(0);
  await message.fill(Array.from({ length: 12 }, (_none, line) => `line ${line}`).join("\n"));
  await expect.poll(heightOf).toBeGreaterThan(two * 3);
  await message.fill("x\n".repeat(200));
  await expect.poll(heightOf).toBeLessThan(400);
  await message.fill("done");
  await message.press("Enter");
  await page.getByRole("article", { name: "You" }).getByText("done").waitFor();
  await expect.poll(() => message.inputValue()).toBe("");
  expect(await sent(id)).toBe(1);
  await expect.poll(heightOf).toBeLessThan(two);
});

test("what is typed while a message is on its way is the next message", async () => {
  const { id, message } = await open("Typing on");
  await message.pressSequentially("one");
  await message.press("Enter");
  await message.pressSequentially("two");
  await expect.poll(() => sent(id)).toBe(1);
  await expect.poll(() => message.inputValue()).toBe("two");
});

test("a message that is too long gets a sentence, and keeps its text", async () => {
  const { id, page, message } = await open("Long");
  for (const long of ["ä".repeat(40_000), "x".repeat(400_000)]) {
    await message.fill(long);
    await message.press("Enter");
    await page
      .getByRole("alert")
      .getByText(/too long: \d+ kB, and 64 kB is the most/)
      .waitFor();
    expect((await message.inputValue()).length).toBe(long.length);
  }
  await page.getByText("· Connected").waitFor();
  await message.fill("x".repeat(64 * 1_024));
  await message.press("Enter");
  await expect.poll(() => sent(id)).toBe(1);
  await page.getByRole("alert").waitFor({ state: "detached" });
});

test("what is sent while something waits is shown as queued, and goes when the turn has ended", async () => {
  const { id, page, message } = await open("Queue");
  await at.place.ask({ type: "approval", prompt: "Go on?" }, { sessionId: id });
  await page.getByRole("button", { name: "Allow once" }).waitFor();
  await message.fill("and then this");
  await page.getByText("A message does not answer a prompt").waitFor();
  await message.press("Enter");
  const queue = page.getByRole("list", { name: "Queued messages" });
  await queue.getByText("and then this").waitFor();
  await message.fill("a draft");
  await page.reload();
  await queue.getByText("and then this").waitFor();
  expect(await message.inputValue()).toBe("a draft");
  await page.getByRole("button", { name: "Allow once" }).click();
  await queue.waitFor({ state: "detached" });
  await page.getByRole("article", { name: "You" }).getByText("and then this").waitFor();
  expect(await message.inputValue()).toBe("a draft");
});

test("stop ends the turn and its prompt, and a message may stop and send at once", async () => {
  const { id, page, message } = await open("Stop");
  await at.place.ask({ type: "approval", prompt: "For ever?" }, { sessionId: id });
  await page.getByRole("button", { name: "Allow once" }).waitFor();
  await page.getByRole("button", { name: "Stop the agent" }).click();
  await page.getByText("Stopped", { exact: true }).first().waitFor();
  await expect.poll(() => at.place.waiting(id)).toEqual([]);
  await page.getByRole("button", { name: "Send message" }).waitFor();
  await at.place.ask({ type: "approval", prompt: "Once more?" }, { sessionId: id });
  await page.getByRole("button", { name: "Allow once" }).waitFor();
  await message.fill("no, do this instead");
  await page.getByRole("button", { name: "Stop and send" }).click();
  await page.getByRole("article", { name: "You" }).getByText("no, do this instead").waitFor();
  await expect.poll(() => at.place.waiting(id)).toEqual([]);
});

test("a session that nobody named is called by its first message", async () => {
  const window = await at.signIn();
  const { page } = window;
  await page.getByRole("button", { name: "New session", exact: true }).first().click();
  await page.getByRole("textbox", { name: "Message" }).fill("Fix the login page\nplease");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Fix the login page", exact: true }).waitFor();
  await page.getByRole("button", { name: "New session", exact: true }).first().click();
  await page.getByRole("button", { name: "/help" }).click();
  await page.getByRole("heading", { name: "/help", exact: true }).waitFor();
});
