import { afterEach, beforeEach, expect, test } from "vitest";
import { ERAS } from "./clients.ts";
import { StdioHouse } from "./stdio-house.ts";

let house: StdioHouse;
beforeEach(async () => {
  house = await StdioHouse.open("docs/guide/mcp.md");
});
afterEach(() => house.close());

test.each(ERAS)(
  "a client of %s on stdio is answered though the server was killed meanwhile, and nobody is asked twice",
  async (era) => {
    const client = await house.connect(era);
    expect(await client.toolNames()).toContain("ask");
    const asking = client.ask("ask", { question: "Still there?" });
    const { id } = await house.asked();
    await house.kill();
    await house.revive();
    expect((await house.asked()).id).toBe(id);
    await house.answer(id, "yes");
    expect(await asking).toEqual({ status: "answered", answer: "yes" });
    expect(await house.waiting()).toEqual([]);
  },
);
