import { expect, test } from "vitest";
import { browserTests } from "../support/index.ts";

const at = browserTests();

async function session(content: string) {
  const { id } = await at.place.session({ title: "How calls end" });
  const window = await at.signIn({ path: `/#/s/${id}` });
  await at.place.say(id, content);
  return { window, page: window.page, id };
}

test("a person's no is theirs and no failure, and elsewhere it says whose", async () => {
  const { page, window, id } = await session('/call bash {"command":"echo one"}');
  const other = await at.signIn({ path: `/#/s/${id}` });
  await page.getByRole("button", { name: "Deny", exact: true }).click();
  await window.sees(page.getByRole("button", { name: /bash.*Denied by you/ }));
  await other.sees(other.page.getByRole("button", { name: /Denied on another device by Owner/ }));
  const block = page.locator(".tool-call");
  expect(await block.innerText()).not.toMatch(/Failed|Error|tool_denied/);
});

test("nobody's time-out is no failure and nobody's decision", async () => {
  const request = { type: "approval", prompt: "Paint it?", timeoutMs: 1_000 };
  const { page, window } = await session(`/call stage_ask ${JSON.stringify({ request })}`);
  await window.sees(page.getByRole("button", { name: /stage_ask.*Nobody answered in time/ }));
  expect(await page.locator(".tool-call").innerText()).not.toMatch(
    /Failed|Error|Denied|interaction_timeout/,
  );
});

test("a command that was edited stands there as it ran", async () => {
  const { page, window } = await session('/call bash {"command":"echo one"}');
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("button", { name: /Edit the/ }).click();
  const field = page.locator("[data-beckon-card] textarea");
  await field.fill((await field.inputValue()).replace("one", "two"));
  await page.getByRole("button", { name: "Allow once" }).click();
  const head = page.getByRole("button", { name: /^bash\b.*echo two.*edited/ });
  await window.sees(head);
  expect(await head.innerText()).not.toContain("echo one");
});

test("a tool that fails after its questionnaire was answered says so on the card", async () => {
  const request = {
    type: "input",
    presentation: "questionnaire",
    inputSchema: { type: "form", fields: [{ id: "name", type: "text", label: "Name" }] },
  };
  const next = { fail: { code: "tool_error", message: "The disk is full." } };
  const { page, window } = await session(`/call stage_ask ${JSON.stringify({ request, next })}`);
  await page.getByRole("textbox", { name: "Name" }).fill("Ada");
  await page.getByRole("button", { name: "Submit" }).click();
  await window.sees(/Answered\. Then the tool failed: .*The disk is full\./);
  expect(await page.locator("[data-beckon-card][data-failed]").count()).toBe(1);
});

test("steps that were answered on the way stay in view, folded", async () => {
  const form = (label: string) => ({
    type: "input",
    presentation: "questionnaire",
    inputSchema: { type: "form", fields: [{ id: "name", type: "text", label }] },
  });
  const asked = { request: form("Name"), next: { reprompt: form("Colour") } };
  const { page, window } = await session(`/call stage_ask ${JSON.stringify(asked)}`);
  await page.getByRole("textbox", { name: "Name" }).fill("Ada");
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByRole("textbox", { name: "Colour" }).waitFor();
  await page.getByText("1 earlier step").click();
  await window.sees(page.getByText("Ada"));
});
