import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStage } from "../stage.js";
import { createAskByMailTool } from "./ask-by-mail.js";
import { createOutbox } from "./outbox.js";

const outbox = mkdtempSync(join(tmpdir(), "beckon-outbox-"));
const seconds = Number(process.env.WAIT_SECONDS ?? 10);

const askByMail = createAskByMailTool({
  to: "you@example.com",
  waitMs: seconds * 1_000,
  linkTo: (sessionId, interactionId) => `${stage.url}/#/s/${sessionId}/i/${interactionId}`,
  send: createOutbox(outbox),
});
const stage = await openStage({ tools: [askByMail] });
console.log(await stage.invitation());
console.log(`But let ${seconds} seconds pass before you answer, and see what happens here.\n`);
await stage.say('/call ask_by_mail {"question":"May I invite the customers to the trial?"}');

let isLate = false;
for await (const { type, payload } of stage.events()) {
  if (type === "tool_result") {
    console.log("The call has ended with", payload.ok ? payload.result : payload.error);
  }
  if (type === "interaction_pending" && payload.queued) {
    console.log(`
There is an e-mail in ${outbox}
The question is still open. Answer it now: in the page, or by the link in the e-mail.
`);
  }
  if (type === "user_message" && payload.source === "late_answer") {
    isLate = true;
    console.log(`The agent got a message: ${payload.text}`);
  }
  if (type === "text" && isLate) console.log(`And says: ${payload.text}`);
}
await stage.close();
rmSync(outbox, { recursive: true });
