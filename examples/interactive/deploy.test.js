import assert from "node:assert/strict";
import { test } from "node:test";
import { createBeckon } from "beckon";
import { checkDurableTool } from "beckon/testing";
import { createDirectTransport, createHttpTransport } from "beckon/transport";
import { createDeployTool } from "./deploy.js";

/** @type {string[]} */
const deployed = [];
const deploy = createDeployTool(async (version, where) => {
  deployed.push(`${version} to ${where}`);
  return `https://${where.toLowerCase()}.example`;
}, 30_000);
const args = { version: "1.2.0" };
const effects = () => deployed.length;

test("it survives a restart at any moment, and deploys once", async () => {
  const answers = [
    { action: /** @type {const} */ ("submit"), input: { answers: { 0: "Staging" } } },
  ];
  const report = await checkDurableTool(deploy, { args, answers, effects });
  assert.ok(report.ok, String(report));
});

test("nothing is deployed when a person declines, or nobody answers", async () => {
  const before = effects();
  for (const answer of /** @type {const} */ ([{ action: "deny" }, "timeout"])) {
    const report = await checkDurableTool(deploy, { args, answers: [answer], effects });
    assert.ok(report.ok, String(report));
  }
  assert.equal(effects(), before);
});

// #region server
for (const kind of ["in process", "over HTTP"]) {
  test(`a person is asked ${kind}, and the call goes on with the answer`, async () => {
    const beckon = await createBeckon({ dataDir: ":memory:", tools: [deploy] });
    const listener = await beckon.listen({ host: "127.0.0.1", port: 0 });
    const token = beckon.ownerToken;
    const transport =
      kind === "in process"
        ? createDirectTransport({ ...beckon, token })
        : createHttpTransport({ url: listener.url, token });
    const { id } = await transport.createSession();

    const end = await new Promise((resolve, reject) => {
      transport.subscribe(
        id,
        { after: 0 },
        {
          started() {
            const text = '/call deploy {"version":"1.2.0"}';
            transport.sendMessage(id, { text, messageId: "first" }).catch(reject);
          },
          event({ type, payload }) {
            if (type === "interaction_request") {
              transport.submitAnswers(id, payload.toolCallId, { 0: "Production" }).catch(reject);
            }
            if (type === "tool_result") resolve(payload);
          },
          failed: reject,
        },
      );
    });

    const url = "https://production.example";
    assert.deepEqual(end.result, { deployed: true, where: "Production", url });
    transport.close();
    await beckon.close();
  });
}
// #endregion server
