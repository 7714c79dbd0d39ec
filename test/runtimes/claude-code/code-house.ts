import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type FakeAnthropic,
  latest,
  type ReceivedResult,
  startFakeAnthropic,
} from "../../../src/testing/index.ts";
import { beckonCommandWith, ServerProcess } from "../../process/server-process.ts";
import { Watch } from "../../scenarios/watch.ts";

const PACKAGES = fileURLToPath(new URL("../node_modules/@anthropic-ai", import.meta.url));

/** The binary of Claude Code that the SDK brings for this machine, whatever that is. */
export function findClaudeCode(): string {
  const found = readdirSync(PACKAGES)
    .filter((name) => name.startsWith(`claude-agent-sdk-${process.platform}-${process.arch}`))
    .flatMap((name) => ["claude", "claude.exe"].map((file) => join(PACKAGES, name, file)))
    .find((path) => existsSync(path));
  if (found === undefined) throw new Error(`There is no Claude Code in ${PACKAGES}.`);
  return found;
}

/** The real Claude Code without a terminal, a scripted model, and a real server beside them. */
export class CodeHouse {
  readonly folder = mkdtempSync(join(tmpdir(), "beckon-code-"));
  readonly data = join(this.folder, "data");
  readonly work = join(this.folder, "work");
  /** What Claude Code finds in its environment, beside what it needs for its model. */
  readonly environment: Record<string, string> = {};
  model!: FakeAnthropic;
  server!: ServerProcess;
  watch!: Watch;
  readonly #children = new Set<ChildProcess>();

  static async open(): Promise<CodeHouse> {
    const house = new CodeHouse();
    mkdirSync(house.work);
    house.model = await startFakeAnthropic();
    await house.start();
    return house;
  }

  /** Starts the server, on a port of its own each time, and somebody who watches. */
  async start(): Promise<void> {
    this.server = await ServerProcess.start(this.data);
    this.watch = await Watch.by([await this.server.person()]);
  }

  get hookToken(): string {
    return readFileSync(join(this.data, "hook-token"), "utf8").trim();
  }

  /** `beckon connect claude`, for the Claude Code of this house. */
  async connect(...args: string[]): Promise<string> {
    const env = this.model.env(this.folder);
    const end = await beckonCommandWith(env, "connect", "claude", "--data", this.data, ...args);
    if (end.code !== 0) throw new Error(end.stderr);
    return end.stdout;
  }

  /** Lets Claude Code work on a prompt to its end; resolves with what it printed. */
  async code(...args: string[]): Promise<{ terminal_reason: string; permission_denials: any[] }> {
    const options = ["-p", "go on", "--model", "claude-sonnet-4-5", "--output-format", "json"];
    const child = spawn(findClaudeCode(), [...options, ...args], {
      cwd: this.work,
      env: { ...this.model.env(this.folder), ...this.environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#children.add(child);
    let said = "";
    let errors = "";
    child.stdout.on("data", (piece: Buffer) => (said += piece.toString()));
    child.stderr.on("data", (piece: Buffer) => (errors += piece.toString()));
    await once(child, "close");
    this.#children.delete(child);
    try {
      return JSON.parse(said) as Awaited<ReturnType<CodeHouse["code"]>>;
    } catch {
      throw new Error(`Claude Code said: ${said} ${errors}`);
    }
  }

  /** A person answers the next prompt. */
  async answer(body: Record<string, unknown>): Promise<any> {
    const prompt = await this.watch.prompt();
    await this.respond(prompt.id, body);
    return prompt;
  }

  async respond(id: string, body: Record<string, unknown>): Promise<void> {
    const reply = await this.server.http("POST", `/api/interactions/${id}/respond`, body);
    if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
  }

  /** What the model was told about a call. */
  received(toolUseId: string): ReceivedResult | undefined {
    const results = this.model.requests.flatMap((request) => latest(request).results);
    return results.find((one) => one.toolUseId === toolUseId);
  }

  made(name: string): boolean {
    return existsSync(join(this.work, name));
  }

  async close(): Promise<void> {
    for (const child of this.#children) child.kill("SIGKILL");
    await this.server.end("SIGTERM");
    await this.model.close();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
