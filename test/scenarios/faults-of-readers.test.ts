import { expect, test } from "vitest";
import { person, Rig } from "./rig.ts";

test("what is stored while a client's first look is on its way back reaches that client", async () => {
  await using rig = await Rig.start({ tools: [] });
  const sessionId = await rig.session();
  const read = rig.raw.events.bind(rig.raw);
  let looks = 0;
  rig.raw.events = async (query) => {
    const page = await read(query);
    // The answer to the first look is late: meanwhile a whole turn happens and is told of.
    if (looks++ === 0) {
      await rig.say(sessionId, "hello");
      while (!(await read({ sessionId, limit: 100 })).some(({ type }) => type === "turn_end")) {
        await rig.clock.settle();
      }
      await rig.clock.settle();
    }
    return page;
  };
  const heard: number[] = [];
  const sink = {
    send: ({ seq }: { seq?: number }) => void (seq === undefined || heard.push(seq)),
    drained: async () => {},
  };
  await rig.core.subscribe(person, { sessionId }, sink, () => {});
  await rig.until(() => heard.length > 0);
  const stored = (await read({ sessionId, limit: 100 })).map(({ seq }) => seq);
  expect(heard).toEqual(stored);
});
