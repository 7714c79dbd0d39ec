import { createBeckon } from "beckon";
import { releaseAgent } from "./agent.js";

/* A server in this process, with this one agent. It keeps nothing: Ctrl+C, and it is gone. */

const beckon = await createBeckon({ dataDir: ":memory:", agents: [releaseAgent] });
await beckon.listen({ host: "127.0.0.1", port: 0 });
console.log(`Open this within a minute, start a session there, and write anything:

  ${await beckon.signInUrl()}

Ctrl+C ends it.`);
