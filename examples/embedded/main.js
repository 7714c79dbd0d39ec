import { parseArgs } from "node:util";
import { createBeckon } from "beckon";
import { createDirectTransport } from "beckon/transport";
import { createConsolePerson } from "./console-person.js";
import { noteTaker, writeNote } from "./note-taker.js";

const { values } = parseArgs({
  options: { data: { type: "string" }, listen: { type: "boolean" } },
});

// #region start
const beckon = await createBeckon({
  dataDir: values.data ?? ":memory:",
  agents: [noteTaker],
  tools: [writeNote],
});
const transport = createDirectTransport({ ...beckon, token: beckon.ownerToken });
// #endregion start

// #region listen
if (values.listen) {
  await beckon.listen({ host: "127.0.0.1", port: 0 });
  console.log(`Answer here, or in the page: ${await beckon.signInUrl()}`);
}
// #endregion listen

console.log("Answer the agent's questions here. Ctrl+C leaves.\n");
const person = createConsolePerson(transport);
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => person.close());

// #region talk
// A turn that waited when the program ended waits still, if the data is kept.
const { sessions } = await transport.sessions();
const waiting = sessions.find(({ status }) => status === "waiting");
const session = waiting ?? (await transport.createSession({ title: "A note" }));
const ended = new Promise((resolve, reject) => {
  transport.subscribe(
    session.id,
    { after: session.lastSeq },
    {
      started() {},
      event({ type, payload }) {
        if (type === "text") console.log(payload.text);
        if (type === "turn_end") resolve(payload.status);
      },
      failed: reject,
    },
  );
});
if (!waiting) await transport.sendMessage(session.id, { text: "Write a note." });
// #endregion talk

// #region end
await Promise.race([ended, person.left]);
person.close();
transport.close();
await beckon.close();
// #endregion end
