import { expect, test } from "vitest";
import { cardOf, stateOf } from "../support/answering.ts";
import { browserTests } from "../support/index.ts";

const at = browserTests({ fresh: true });
const fields = Array.from({ length: 12 }, (_, index) => ({
  id: `field${index}`,
  type: index === 11 ? "textarea" : "text",
  label: `Field ${index + 1}`,
}));
const request = { type: "input", prompt: "Tell me all.", inputSchema: { type: "form", fields } };

test("a prompt that is taller than the screen begins at its top, and whoever fills it in is not moved", async () => {
  const { id } = await at.place.session({ title: "Tall" });
  for (let count = 0; count < 6; count++) await at.place.say(id, `Line ${count}`);
  const window = await at.signIn({ viewport: "phone", path: `/#/s/${id}` });
  const { page } = window;
  await page.getByText("Line 5").first().waitFor();
  await at.place.ask(request, { sessionId: id });
  const card = cardOf(page);
  const region = page.getByRole("region", { name: "Conversation" });
  const topOfCard = async () => {
    const [frame, box] = [await region.boundingBox(), await card.boundingBox()];
    return (box?.y ?? Number.NaN) - (frame?.y ?? 0);
  };
  await expect.poll(topOfCard).toBeGreaterThanOrEqual(0);
  await expect.poll(topOfCard).toBeLessThan(200);

  const last = card.getByRole("textbox", { name: "Field 12" });
  await last.scrollIntoViewIfNeeded();
  await last.fill("Line\n".repeat(12));
  await card.getByRole("button", { name: "Submit" }).scrollIntoViewIfNeeded();
  const place = await topOfCard();
  expect(place).toBeLessThan(-200);
  await card.getByRole("textbox", { name: "Field 11" }).fill("more");
  expect(Math.abs((await topOfCard()) - place)).toBeLessThan(200);

  await card.getByRole("button", { name: "Submit" }).click();
  await expect.poll(() => stateOf(card)).toBe("completed");
  const fromEnd = () =>
    region.evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight);
  await expect.poll(fromEnd).toBeLessThan(60);
});

test("a link to a prompt that is taller than the screen leads to its top", async () => {
  const { id } = await at.place.session({ title: "Linked" });
  const asked = await at.place.ask(request, { sessionId: id });
  const { page } = await at.signIn({ viewport: "phone", path: `/#/s/${id}/i/${asked.id}` });
  const region = page.getByRole("region", { name: "Conversation" });
  const card = cardOf(page);
  const top = async () =>
    ((await card.boundingBox())?.y ?? Number.NaN) - ((await region.boundingBox())?.y ?? 0);
  await expect.poll(top).toBeGreaterThanOrEqual(0);
  await expect.poll(top).toBeLessThan(200);
});
