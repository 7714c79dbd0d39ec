import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { latest, says, startFakeAnthropic, toolUse } from "beckon/testing";
import { createHttpTransport } from "beckon/transport";

test("Claude asks before it runs a command, and reads why it may not", async () => {
  const folder = await mkdtemp(join(tmpdir(), "claude-"));
  const model = await startFakeAnthropic([
    says("I make a folder.", toolUse("toolu_1", "Bash", { command: "mkdir one" })),
    says("Then not."),
  ]);
  const claude = { cwd: folder, settingSources: [], env: model.env(folder) };
  await writeFile(join(folder, "settings.json"), JSON.stringify({ agents: { claude } }));

  const bin = "node_modules/beckon/bin/beckon.js";
  const args = ["serve", "--port", "0", "--json", "--data", folder];
  const server = spawn(process.execPath, [bin, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(server.stdout, "data");
  const token = (await readFile(join(folder, "token"), "utf8")).trim();
  const transport = createHttpTransport({ url: new URL(JSON.parse(line).url).origin, token });

  const { id } = await transport.createSession({ agent: "claude" });
  await new Promise((resolve, reject) => {
    transport.subscribe(
      id,
      { after: 0 },
      {
        started: () => void transport.sendMessage(id, { text: "make a folder", messageId: "m1" }),
        event({ type, payload }) {
          if (type === "interaction_request") {
            void transport.denyTool(id, payload.toolCallId, { reason: "Use the other disk." });
          }
          if (type === "turn_end") resolve(payload);
        },
        failed: reject,
      },
    );
  });

  const [received] = latest(/** @type {any} */ (model.requests.at(-1))).results;
  assert.match(received?.text ?? "", /Use the other disk\./);

  transport.close();
  server.kill();
  await once(server, "exit");
  await model.close();
  await rm(folder, { recursive: true, force: true });
});
