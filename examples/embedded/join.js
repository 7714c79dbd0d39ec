import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createBeckon, DataDirectoryInUse } from "beckon";
import { createDirectTransport, createHttpTransport } from "beckon/transport";

// #region join
/** Opens the data directory, or goes to the program that has it open. @param {string} dataDir */
async function openOrJoin(dataDir) {
  try {
    const beckon = await createBeckon({ dataDir });
    const transport = createDirectTransport({ ...beckon, token: beckon.ownerToken });
    return { transport, where: "here", close: () => beckon.close() };
  } catch (error) {
    // Who holds it and does not listen cannot be reached.
    if (!(error instanceof DataDirectoryInUse) || !error.holder.url) throw error;
    const { url } = error.holder;
    const token = (await readFile(join(dataDir, "token"), "utf8")).trim();
    const transport = createHttpTransport({ url, token });
    return { transport, where: `at ${url}`, close: async () => {} };
  }
}
// #endregion join

const { transport, where, close } = await openOrJoin(process.argv[2] ?? ".beckon");
const { sessions } = await transport.sessions();
console.log(`The server is ${where}. What waits, by session:`);
for (const { title, pendingCount } of sessions) console.log(`${title}: ${pendingCount}`);
transport.close();
await close();
