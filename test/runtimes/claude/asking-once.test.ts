import { ASK_RULE, askingOnceTests, plant } from "../asking-once.ts";
import { ClaudeHouse } from "./claude-house.ts";

askingOnceTests(async () => {
  let ran = "";
  const house = await ClaudeHouse.open((folder, env) => {
    const planted = plant(folder);
    ({ ran } = planted);
    return { env: { ...env, PATH: planted.PATH }, ask: [ASK_RULE] };
  });
  await house.beckon.listen({ host: "127.0.0.1", port: 0 });
  return { house, ran };
});
