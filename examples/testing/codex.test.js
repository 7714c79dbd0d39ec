import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createBeckon, createCodexAgent } from "beckon";
import { latestInput, says, startFakeOpenai, toolUse } from "beckon/testing";
import { createDirectTransport } from "beckon/transport";

test("Codex runs a command in its sandbox, and the model reads what came of it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "codex-"));
  const model = await startFakeOpenai([
    says("I look.", toolUse("call_1", "exec_command", { cmd: "echo it is here" })),
    says("There it is."),
  ]);
  const codex = createCodexAgent({
    command: "node_modules/.bin/codex",
    cwd: folder,
    env: model.codexEnv(folder),
  });
  const beckon = await createBeckon({ dataDir: ":memory:", agents: [codex] });
  const transport = createDirectTransport({ ...beckon, token: beckon.ownerToken });

  const { id } = await transport.createSession({ agent: "codex" });
  /** @type {unknown[]} */
  const results = [];
  await new Promise((resolve, reject) => {
    transport.subscribe(
      id,
      { after: 0 },
      {
        started: () => void transport.sendMessage(id, { text: "look", messageId: "m1" }),
        event({ type, payload }) {
          if (type === "tool_result") results.push(payload.result);
          if (type === "turn_end") resolve(payload);
        },
        failed: reject,
      },
    );
  });

  assert.deepEqual(results, [{ output: "it is here\n", exitCode: 0 }]);
  const [received] = latestInput(/** @type {any} */ (model.requests.at(-1))).results;
  assert.match(received?.text ?? "", /it is here/);

  transport.close();
  await beckon.close();
  await model.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});
