import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { BIN } from "./server-process.ts";

/* What examples/agent/README.md says, done. */

test("the program prints an address that signs in, at a server that has its agent alone", async () => {
  const program = spawn(process.execPath, ["examples/agent/main.js"], {
    cwd: dirname(dirname(BIN)),
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [words] = (await once(program.stdout, "data")) as [Buffer];
    const { origin, hash } = new URL(/http\S+/.exec(words.toString())?.[0] ?? "");
    const signedIn = await fetch(`${origin}/api/auth/exchange`, {
      method: "POST",
      headers: { "content-type": "application/json", origin },
      body: JSON.stringify({ code: hash.replace("#code=", "") }),
    });
    const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
    const agents = await fetch(`${origin}/api/agents`, { headers: { cookie } });
    expect(await agents.json()).toMatchObject({ agents: [{ id: "release" }] });
  } finally {
    program.kill("SIGKILL");
    await once(program, "exit");
  }
});
