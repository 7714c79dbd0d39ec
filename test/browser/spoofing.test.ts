import { expect, test } from "vitest";
import { visibleText } from "../../src/client/index.ts";
import { browserTests } from "./support/index.ts";
import { goTo } from "./support/on-screen.ts";

const at = browserTests();

test("a link prompt says where it really leads, before the address in full", async () => {
  const window = await at.signIn({ path: "/#/inbox" });
  for (const [url, host] of [
    ["https://good.example@evil.example/login", "evil.example"],
    ["https://good.example%2F@evil.example:8443/", "evil.example:8443"],
    ["https://g\u043E\u043Ed.example/", "xn--gd-fmca.example"],
    ["HTTPS://GOOD.example\\@evil.example/", "good.example"],
    ["https://good.example/\u202Egpj.exe", "good.example"],
  ] as const) {
    await at.place.ask({ type: "input", prompt: `To ${url}`, link: { url } });
    const link = window.page.getByRole("link", { name: visibleText(url), exact: true });
    await window.sees(link);
    const said = window.page.getByRole("paragraph").filter({ has: link });
    expect(await said.locator("strong").textContent()).toBe(host);
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer");
    expect(await link.getAttribute("target")).toBe("_blank");
    expect(new URL((await link.getAttribute("href")) ?? "").host).toBe(host);
  }
});

const NEVER_LINKS = [
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](<java\tscript:alert(1)>)",
  "[x](<\u0001javascript:alert(1)>)",
  "[x](data:text/html,1)",
  "[x](vbscript:1)",
  "[x](//evil.example/)",
  "[x](/api/sessions)",
  "[x](\\\\evil.example)",
  "[x](blob:https://evil.example/1)",
  "[x](file:///etc/passwd)",
  "![x](data:image/svg+xml,1)",
];

test("only http, https and mailto become links, and no image is ever fetched", async () => {
  const { id } = await at.place.session();
  await at.place.say(id, NEVER_LINKS.join("\n\n"));
  const links =
    "[a](https://a.example/) [b](http://b.example/) <c@c.example> ![d](https://d.example/)";
  await at.place.say(id, links);
  const window = await at.signIn({ path: `/#/s/${id}` });
  const replies = window.page.getByRole("article", { name: "Agent" });
  await expect.poll(() => replies.count()).toBe(2);
  await window.sees(replies.getByRole("link").first());
  const found = replies.getByRole("link");
  await expect.poll(() => found.count()).toBe(4);
  for (const link of await found.all()) {
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer");
    expect(await link.getAttribute("target")).toBe("_blank");
  }
  expect(await replies.locator("img").count()).toBe(0);
});

const HIDDEN = "a\u202Eb\u200Bc\u0007d";
const SEEN = visibleText(HIDDEN);
const ZALGO = `Z${"\u0301\u0323\u035B".repeat(1_000)}`;
const LONG = "W".repeat(3_000);

test("nothing hides in what can be approved, at 360 pixels, and nothing is pushed off the screen", async () => {
  const { id } = await at.place.session({ title: HIDDEN, cwd: `/${HIDDEN}` });
  await at.place.person();
  const input = {
    command: HIDDEN,
    [HIDDEN]: [HIDDEN],
    old_string: HIDDEN,
    new_string: `${HIDDEN}!`,
  };
  await at.place.say(id, `/call stage_gated ${JSON.stringify(input)}`);
  const window = await at.signIn({ viewport: "small", path: `/#/s/${id}` });
  const card = window.page.locator("[data-beckon-card=approval]");
  await window.sees(card);
  const command = card.locator("[data-beckon-view=command] pre");
  expect(await command.textContent()).toBe(SEEN);
  const whole = (await card.textContent()) ?? "";
  for (const one of ["\u202E", "\u200B", "\u0007"]) expect(whole).not.toContain(one);
  // The command, the folder and both sides of the change; then a key and a value, as JSON has them.
  expect(whole.split(SEEN)).toHaveLength(1 + 4);
  const json = visibleText(JSON.stringify(HIDDEN));
  expect(whole.split(json)).toHaveLength(1 + 2);
  await window.sees(window.page.getByRole("heading", { level: 1, name: SEEN }));

  const fact = `x\nTool\nharmless`;
  for (const text of [ZALGO, LONG]) {
    await at.place.ask(
      {
        type: "approval",
        prompt: `${text}\n${fact}`,
        context: { reason: text, title: text },
        approvalOptions: [
          { id: "y", label: text.slice(0, 900), decision: "approve", covers: [text] },
          { id: "n", label: "No", decision: "deny" },
        ],
      },
      { sessionId: (await at.place.session()).id },
    );
  }
  await goTo(window, "#/inbox");
  const cards = window.page.locator("[data-beckon-card=approval]");
  await expect.poll(() => cards.count()).toBe(3);
  expect(await window.page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  for (const one of await cards.all()) {
    expect(await one.evaluate((card) => card.scrollWidth <= card.clientWidth)).toBe(true);
    expect(await one.textContent()).not.toMatch(/[\p{Mn}\p{Me}]{5}/u);
    // Facts are the server's: what the agent says stands in a quotation of its own.
    const facts = await one.locator("[data-beckon-facts] dt").allTextContents();
    expect(facts).not.toContain("Tool");
    const no = one.getByRole("button", { name: /^(No|Deny)$/ });
    await no.scrollIntoViewIfNeeded();
    await no.click({ trial: true });
  }
});
