import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A network between clients and a server, which a test can break. */
export interface BreakableLine {
  port: number;
  /** Where the server is; undefined while it is nowhere. */
  target: number | undefined;
  /** From here on nothing that the server says arrives, until the next cut. */
  mute(): void;
  /** Breaks the lines there are, without a goodbye. */
  cut(): void;
  close(): Promise<void>;
}

export async function openBreakableLine(): Promise<BreakableLine> {
  const lines = new Set<{ near: Socket; far: Socket }>();
  let muted = false;
  const server = createServer((near) => {
    near.on("error", () => {});
    if (line.target === undefined) return void near.destroy();
    const far = connect(line.target, "127.0.0.1");
    const one = { near, far };
    lines.add(one);
    const end = () => {
      lines.delete(one);
      near.destroy();
      far.destroy();
    };
    far.on("error", () => {});
    near.on("data", (data) => far.write(data));
    far.on("data", (data) => {
      if (!muted) near.write(data);
    });
    near.on("close", end);
    far.on("close", end);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const line: BreakableLine = {
    port: (server.address() as AddressInfo).port,
    target: undefined,
    mute() {
      muted = true;
    },
    cut() {
      muted = false;
      for (const { near, far } of lines) {
        near.destroy();
        far.destroy();
      }
    },
    async close() {
      this.cut();
      server.close();
      await once(server, "close");
    },
  };
  return line;
}
