// A whole server that kills itself where it is told to. Its parent speaks to it over IPC.
import { openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createBeckon } from "../../dist/beckon.js";
import { withCrashPoints } from "../../dist/testing/crash-points.js";
import { createTools } from "./tools.js";

const { directory, store, plan } = JSON.parse(process.argv[2]);
const effects = join(directory, "effects");
const deaths = openSync(join(directory, "deaths"), "a");

let armed = plan;
let passed = 0;

function reached(point) {
  if (armed?.point !== point || ++passed < armed.nth) return;
  writeSync(deaths, `${point}\n`);
  process.kill(process.pid, "SIGKILL");
  // Should the signal take its time, nothing more may happen here.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

process.on("message", (next) => {
  armed = next.plan;
  passed = 0;
  process.send({ type: "armed" });
});
process.on("disconnect", () => process.exit(1));
process.on("SIGTERM", () => void beckon.close().then(() => process.exit(0)));

const beckon = await createBeckon({
  dataDir: join(directory, "data"),
  store,
  tools: createTools(effects),
  plugins: [new URL("plugin", import.meta.url).pathname],
  pluginSettings: { crash: { effects } },
  unstable_ports: (ports) => withCrashPoints(ports, reached),
});
const { url } = await beckon.listen({ host: "127.0.0.1", port: 0 });
process.send({ type: "listening", url, token: beckon.ownerToken });
