import { mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { type CommandOptions, runCommand } from "./run-command.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

/** Runs a command, and gives its end and what was shown while it ran. */
async function run(command: string | string[], options: Partial<CommandOptions> = {}) {
  const shown: string[] = [];
  const end = await runCommand({
    command,
    cwd: tmpdir(),
    env: { PATH: process.env["PATH"] },
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    onOutput: (text) => shown.push(text),
    ...options,
  });
  return { ...end, shown };
}

test.each([0, 1, 3, 127, 255])("exit code %i is the result", async (code) => {
  expect(await run(`exit ${code}`)).toMatchObject({ exitCode: code, output: "" });
});

test("a command that a signal ended has no exit code, and the signal", async () => {
  const end = await run("echo before; kill -SEGV $$");
  expect(end).toMatchObject({ exitCode: null, signal: "SIGSEGV", output: "before\n" });
  expect(end).not.toHaveProperty("timedOut");
});

test("output and errors come in the order in which they were written", async () => {
  const command = "for i in $(seq 200); do echo out $i; echo err $i >&2; done";
  const expected = Array.from({ length: 200 }, (_, i) => `out ${i + 1}\nerr ${i + 1}\n`).join("");
  const { output, shown } = await run(command);
  expect(output).toBe(expected);
  expect(shown.join("")).toBe(expected);
});

test("output can be opened by name, as any pipe", async () => {
  const { output } = await run(
    "echo a > /dev/stdout; echo b > /dev/stderr; echo c | tee /dev/fd/2",
  );
  expect(output).toBe("a\nb\nc\nc\n");
});

test("output is shown while the command still runs", async () => {
  const stop = new AbortController();
  const onOutput = () => stop.abort();
  const end = await run("echo first; sleep 1000", { onOutput, signal: stop.signal });
  expect(end).toMatchObject({ output: "first\n", signal: "SIGTERM" });
});

test.each([
  `printf '%s|' "it's" 'a "b"' $'c\\nd' \\$HOME '\`x\`' "\${1-none}"`,
  `echo "\u00e4 \u{1F642} \u65e5\u672c"`,
  "cat <<'E'\n$HOME\n\tx\nE\n",
  "-n",
  "--version",
  " # nothing but a comment",
  "echo \\\\; echo 'a\\nb'",
  "[[ abc == a* ]] && a=(1 2 3) && echo ${a[2]}",
  `printf %s ${"x".repeat(19_000)}`,
])("case %#: bash gets the command as it is", async (command) => {
  const folder = await mkdtemp(join(tmpdir(), "beckon-test-"));
  try {
    await writeFile(join(folder, "script"), command);
    const expected = await run(`bash ./script`, { cwd: folder });
    const actual = await run(command, { cwd: folder });
    expect(actual.exitCode).toBe(expected.exitCode);
    // A script and `-c` name themselves differently in front of an error.
    const plain = (output: string) => output.replace(/^(bash|\.\/script): /, "");
    expect(plain(actual.output)).toBe(plain(expected.output));
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a command has no arguments, and is called bash", async () => {
  expect((await run('echo "$0 $#"')).output).toBe("bash 0\n");
});

test("a command that reads gets the end of input", async () => {
  expect(await run("cat; read x; echo $?")).toMatchObject({ exitCode: 0, output: "1\n" });
});

test("a command does not get the socket of its watchdog", async () => {
  expect((await run("ls -l /dev/fd/")).output).not.toContain("socket");
});

test.runIf(process.platform === "linux")(
  "a command that waits for all of its children does not wait for its watchdog",
  async () => {
    const children = "read -r line </proc/$$/task/$$/children; echo [$line]";
    expect((await run(`wait -n; echo $?; ${children}`)).output).toBe("127\n[]\n");
  },
);

test("the command is run in its directory", async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "beckon-test ü '")));
  expect((await run('pwd; echo "$PWD"', { cwd: folder })).output).toBe(`${folder}\n${folder}\n`);
  await rm(folder, { recursive: true });
});

test("the environment is the given one and nothing else", async () => {
  vi.stubEnv("CANARY_TOKEN", "must not be seen");
  const { output } = await run("env", { env: { PATH: process.env["PATH"], A: "1" } });
  expect(output.match(/^\w+(?==)/gm)?.sort()).toEqual(["A", "PATH", "PWD", "SHLVL", "_"]);
});

test("no file of the user is read before the command", async () => {
  const home = await mkdtemp(join(tmpdir(), "beckon-test-"));
  for (const name of [".bashrc", ".bash_profile", ".profile"]) {
    await writeFile(join(home, name), `touch ${home}/was-read; echo read`);
  }
  const env = { PATH: process.env["PATH"], HOME: home };
  expect((await run("true", { env, cwd: home })).output).toBe("");
  expect(await readdir(home)).not.toContain("was-read");
  await rm(home, { recursive: true });
});

test.each([
  ["/does/not/exist", /directory \/does\/not\/exist does not exist/],
  [new URL(import.meta.url).pathname, /is not a directory/],
  [`${new URL(import.meta.url).pathname}/sub`, /cannot be used \(ENOTDIR\)/],
  ["relative", /absolute/],
])("a cwd of %s is refused with a sentence", async (cwd, sentence) => {
  const refused = run("echo no", { cwd });
  await expect(refused).rejects.toMatchObject({ code: "tool_error" });
  await expect(refused).rejects.toThrow(sentence);
});

test("without bash on the PATH nothing is run, rather than something else than bash", async () => {
  const refused = run("echo no", { env: { PATH: "/does/not/exist" } });
  await expect(refused).rejects.toMatchObject({ code: "tool_error" });
  await expect(refused).rejects.toThrow(/no bash on the PATH/);
});

test("Windows is told what to do instead", async () => {
  vi.stubGlobal("process", Object.create(process, { platform: { value: "win32" } }));
  await expect(run("echo no")).rejects.toThrow(/WSL/);
});

test("a call that is already cancelled runs nothing", async () => {
  const folder = await mkdtemp(join(tmpdir(), "beckon-test-"));
  const signal = AbortSignal.abort(new Error("cancelled before"));
  await expect(run("touch ran", { cwd: folder, signal })).rejects.toThrow("cancelled before");
  expect((await run("ls", { cwd: folder })).output).toBe("");
  await rm(folder, { recursive: true });
});

test("nothing is left in the folder for temporary files", async () => {
  const folder = await mkdtemp(join(tmpdir(), "beckon-test-"));
  vi.stubEnv("TMPDIR", folder);
  expect(await run("ls -A", { cwd: folder })).toMatchObject({ exitCode: 0, output: "" });
  await expect(run("ls", { cwd: "/does/not/exist" })).rejects.toThrow("does not exist");
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
});

test("without a place for its output a command is not run", async () => {
  vi.stubEnv("TMPDIR", "/does/not/exist");
  const refused = run("echo no");
  await expect(refused).rejects.toMatchObject({ code: "tool_error" });
  await expect(refused).rejects.toThrow(/no pipe for its output/);
});

test("characters are shown whole, wherever the pipe cuts the output", async () => {
  const { shown } = await run("printf x; yes 🙂 | head -n 20000");
  expect(shown.join("")).toBe(`x${"🙂\n".repeat(20_000)}`);
});

test("bytes that are no text are replaced", async () => {
  const { output, shown } = await run(String.raw`printf 'a\377\000b\200'`);
  expect(output).toBe("a\uFFFD\0b\uFFFD");
  expect(shown.join("")).toBe(output);
});

test("of one huge line the beginning and the end are kept", async () => {
  const { output, truncatedBytes, shown } = await run(
    "printf start; head -c 3000000 /dev/zero | tr '\\0' x; printf end",
  );
  expect(output).toMatch(/^startx+\n\[\d+ bytes left out\]\nx+end$/);
  expect(truncatedBytes).toBe(3_000_008 - 64 * 1024);
  expect(output.length).toBeLessThan(64 * 1024 + 50);
  expect(shown.at(-1)).toMatch(/more output than is shown/);
});

test("a flood of output ends, in little memory and few pieces", async () => {
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
  const { exitCode, truncatedBytes, shown } = await run("yes | head -c 50000000");
  clearInterval(watch);
  expect(exitCode).toBe(0);
  expect(truncatedBytes).toBe(50_000_000 - 64 * 1024);
  expect(shown.length).toBeLessThan(50);
  expect(Buffer.byteLength(JSON.stringify(shown.join("")))).toBeLessThan(300 * 1024);
  // Holding all of it would take more than its 50 MB.
  expect(peak - before).toBeLessThan(50_000_000);
});

test("a program gets its arguments as they are, from no shell and by no PATH", async () => {
  const args = ["$(id)", "two words", "*", "~", "it's", "", "-n", "a\nb"];
  const print = "console.log(JSON.stringify(process.argv.slice(1)))";
  const { output } = await run([process.execPath, "-e", print, "--", ...args], { env: {} });
  expect(JSON.parse(output)).toEqual(args);
});
