// One node of a cluster under test. Its parent speaks to it over IPC.
import { join } from "node:path";
import { createBeckon } from "../../dist/beckon.js";
import { createTools } from "../crash/tools.js";

const { directory, name, store, host } = JSON.parse(process.argv[2]);
const effects = join(directory, "effects");

process.on("disconnect", () => process.exit(1));
process.on("SIGTERM", () => void beckon.close().then(() => process.exit(0)));

const beckon = await createBeckon({
  dataDir: join(directory, name),
  store,
  node: name,
  allowedHosts: [host],
  tools: createTools(effects),
  plugins: [new URL("../crash/plugin", import.meta.url).pathname],
  pluginSettings: { crash: { effects } },
});
const { url } = await beckon.listen({ host: "127.0.0.1", port: 0 });
process.send({ type: "listening", url, token: beckon.ownerToken });
