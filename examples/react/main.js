import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import react from "@vitejs/plugin-react";
import { build, preview } from "vite";
import { openStage } from "../stage.js";
import { shipOrder } from "./ship-order.js";

const port = await findFreePort();
const stage = await openStage({
  tools: [shipOrder],
  // Browsers come to the shop's address, and Beckon answers to no name that it was not told.
  allowedHosts: [`127.0.0.1:${port}`],
});

/** @type {import("vite").InlineConfig} */
const shop = {
  root: import.meta.dirname,
  configFile: false,
  logLevel: "warn",
  plugins: [react()],
  build: { target: "es2022" },
};
await build(shop);
// #region proxy
const page = await preview({
  ...shop,
  preview: {
    host: "127.0.0.1",
    port,
    strictPort: true,
    // To the browser it is one server. Both go on with the Host that it sent.
    proxy: {
      "/api": { target: stage.url },
      "/ws": { target: stage.url, ws: true },
    },
  },
});
// #endregion proxy
await stage.say('/call ship_order {"order":1042,"to":"Porto"}');
await stage.say(
  '/call ask_user {"question":"Who packs it?","options":["the early shift","the late shift"]}',
);

const address = async () => {
  const { hash } = new URL(await stage.signInUrl());
  return `http://127.0.0.1:${port}/${hash}`;
};
console.log(`A shop has Beckon's cards in its own page. Open it within a minute, and answer there:

  ${await address()}

Enter prints a fresh address. Ctrl+C ends it.
`);
const keyboard = createInterface({ input: process.stdin });
keyboard.on("line", () => void address().then(console.log));

for await (const { type, payload } of stage.events()) {
  if (type === "tool_result") {
    console.log(`${payload.toolName} returned`, payload.ok ? payload.result : payload.error);
  }
}
keyboard.close();
await page.close();
await stage.close();

async function findFreePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  server.close();
  await once(server, "close");
  return port;
}
