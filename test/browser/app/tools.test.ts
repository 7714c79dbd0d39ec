import { expect, test } from "vitest";
import { browserTests } from "../support/index.ts";

const at = browserTests();

async function run(...messages: string[]) {
  const { id } = await at.place.session({ title: "Tools" });
  const window = await at.signIn({ path: `/#/s/${id}` });
  await window.sees("A new conversation");
  for (const message of messages) await at.place.say(id, message);
  return { id, window, page: window.page };
}
const call = (tool: string, input: object) => `/call ${tool} ${JSON.stringify(input)}`;

test("a command shows what it wrote and its exit code below what was allowed, not JSON", async () => {
  const command = "printf 'first\\nsecond'; echo oh >&2; exit 3";
  const { page, window } = await run(call("bash", { command }));
  await page.getByRole("button", { name: "Allow once" }).click();
  const head = page.getByRole("button", { name: /bash.*Exit code 3/ });
  await head.waitFor();
  expect(await head.getAttribute("aria-expanded")).toBe("true");
  const output = page.getByRole("group", { name: "output", exact: true });
  expect(await output.innerText()).toContain("first\nsecond");
  expect(await output.innerText()).not.toContain("exitCode");
  await window.sees(page.getByText("Exit code 3").last());
  await head.click();
  await output.waitFor({ state: "hidden" });
});

test("stdout and stderr apart, no output, an error and a JSON result are each told plainly", async () => {
  const { page } = await run(
    call("stage_print", { output: "", result: { stdout: "fine", stderr: "careful", exitCode: 0 } }),
    call("stage_print", { output: "", result: { output: "", exitCode: 0 } }),
    call("stage_print", { output: "", result: { rows: [1, 2] } }),
    call("stage_fail", { code: "tool_error", message: "The disk is full." }),
  );
  const tools = page.getByRole("button", { name: /stage_(print|fail)/ });
  await page.getByText("stage_fail failed").waitFor();
  for (const tool of await tools.all()) await tool.click();
  expect(await page.getByRole("group", { name: "output", exact: true }).innerText()).toBe("fine");
  const stderr = page.getByRole("group", { name: "error output" });
  expect(await stderr.innerText()).toBe("careful");
  await page.getByText("It wrote nothing.").waitFor();
  expect(await page.getByRole("group", { name: "result" }).innerText()).toContain('"rows": [');
  await page.getByText("The disk is full. (tool_error)").waitFor();
  await page.getByRole("button", { name: /stage_fail.*Failed/ }).waitFor();
});

test("a change is shown line by line, and calls next to each other fold into one line", async () => {
  const edit = { file_path: "a.ts", old_string: "one\ntwo", new_string: "one\nthree" };
  const { page, id } = await run(call("stage_print", edit));
  await page.getByRole("button", { name: /stage_print.*a\.ts/ }).click();
  const change = page.getByRole("group", { name: "Change" });
  expect(await change.innerText()).toMatch(/one\s+- two\s+\+ three/);
  await change.getByRole("deletion").waitFor();
  await change.getByRole("insertion").waitFor();
  await at.place.say(id, '/parallel stage_print {"path":"x"} | stage_print {"path":"y"}');
  const group = page.getByRole("button", { name: /2 tool calls/ });
  await group.waitFor();
  await expect.poll(() => group.getAttribute("aria-expanded")).toBe("false");
  await group.click();
  await page.getByRole("button", { name: /stage_print.*x.*Done/ }).waitFor();
});

test("code has a button that copies it as it is", async () => {
  const { page, window } = await run("/help");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByText("I am the demo agent").waitFor();
  await at.place.say(page.url().split("/s/")[1] ?? "", call("stage_print", { result: { a: 1 } }));
  await page.getByRole("button", { name: "Copy code" }).click();
  await window.sees(page.getByRole("button", { name: "Copy code" }).getByText("Copied"));
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('{"a":1}');
});
