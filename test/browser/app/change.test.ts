import { expect, test } from "vitest";
import { browserTests } from "../support/index.ts";

const at = browserTests();

const lines = Array.from(
  { length: 60 },
  (_, n) => `  const value${n} = compute(${n}, "as long as a line of code often is, and longer");`,
);
const toolInput = {
  file_path: "/srv/app/src/compute.ts",
  old_string: lines.join("\n"),
  new_string: lines.with(10, "  const ten = 10;").with(50, "  const fifty = 50;").join("\n"),
};

test("on a phone a change scrolls sideways inside itself, and its unchanged lines unfold", async () => {
  const { id } = await at.place.session({ title: "A change" });
  await at.place.post("/api/interactions", {
    sessionId: id,
    type: "approval",
    toolName: "Edit",
    toolInput,
  });
  const { page } = await at.signIn({ viewport: "phone", path: `/#/s/${id}` });
  const change = page.getByRole("group", { name: "Change", exact: true });
  await change.getByText("33 unchanged lines").waitFor();
  expect(await change.getByRole("deletion").count()).toBe(2);
  expect(await change.evaluate((box) => box.scrollWidth > box.clientWidth)).toBe(true);
  const whole = page.getByRole("group", { name: "What will run" });
  expect(await whole.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(
    true,
  );
  const allow = page.getByRole("button", { name: "Allow once" });
  expect(await allow.isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Go to the end" }).click();
  await expect.poll(() => allow.isEnabled()).toBe(true);
  await change.getByText("33 unchanged lines").click();
  await change.getByText("const value30 =").waitFor();
});

const long = (word: string, count: number) =>
  Array.from(
    { length: count },
    (_, n) => `${word} ${n} of a file with lines that are wider than a phone\n`,
  ).join("");

test("a large change is read whole and opened before it can be allowed, on a small phone too", async () => {
  const { id } = await at.place.session({ title: "A large change" });
  const changes = [
    { path: "/srv/app/price.ts", kind: "edit", oldText: "price = 10\n", newText: "price = 12\n" },
    { path: "/srv/app/one.ts", kind: "add", newText: long("one", 1_000) },
    { path: "/srv/app/two.ts", kind: "delete", oldText: long("two", 1_000) },
  ];
  expect(JSON.stringify(changes).length).toBeGreaterThan(64 * 1024);
  await at.place.post("/api/interactions", {
    sessionId: id,
    type: "approval",
    toolName: "apply_patch",
    toolInput: {},
    changes,
  });
  const { page } = await at.signIn({ viewport: "small", path: `/#/s/${id}` });
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/api/interactions/*", async (route) => {
    await held;
    await route.continue();
  });
  await page.reload();
  const allow = page.getByRole("button", { name: "Allow once" });
  await page.getByText(/Reading the whole input/).waitFor();
  expect(await allow.isDisabled()).toBe(true);
  release();
  const files = page.getByRole("list", { name: "Files" });
  await files.getByText("one.ts").waitFor();
  expect(await files.getByRole("listitem").count()).toBe(3);
  const folded = page.locator("[data-beckon-large]").first();
  expect(await folded.getByText("one 999 of").isVisible()).toBe(false);
  await folded.getByText("1000 lines change").waitFor();
  await page.getByRole("button", { name: "Go to the end" }).click();
  await expect.poll(() => allow.isEnabled()).toBe(true);
  expect(await page.getByText("two 999 of").isVisible()).toBe(true);
  const box = page.getByRole("group", { name: "What will run" });
  const change = page.getByRole("group", { name: /^Change of .*one\.ts$/ });
  expect(await change.evaluate((inner) => inner.scrollWidth > inner.clientWidth)).toBe(true);
  expect(await box.evaluate((outer) => outer.scrollWidth <= outer.clientWidth)).toBe(true);
  await page.getByRole("button", { name: "Deny", exact: true }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(
    true,
  );
});
