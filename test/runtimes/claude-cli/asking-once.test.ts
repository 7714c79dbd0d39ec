import { ASK_RULE, askingOnceTests, plant } from "../asking-once.ts";
import { CliHouse } from "./cli-house.ts";

askingOnceTests(async () => {
  let ran = "";
  const house = await CliHouse.openWith((folder, env) => {
    const planted = plant(folder);
    ({ ran } = planted);
    return { env: { ...env, PATH: planted.PATH }, ask: [ASK_RULE] };
  });
  return { house, ran };
});
