import type { Beckon, FrameChannel } from "../../src/beckon.ts";

/** The entrances of a server in this process, with a line in front that a test can break. */
export class BreakableChannels {
  isUp = false;
  readonly #server: () => Pick<Beckon, "fetch" | "connect">;
  /** How to cut each. */
  readonly #lines = new Set<() => void>();
  #muted = false;

  constructor(server: () => Pick<Beckon, "fetch" | "connect">) {
    this.#server = server;
  }

  mute(): void {
    this.#muted = true;
  }

  cut(): void {
    this.#muted = false;
    for (const cut of this.#lines) cut();
    this.#lines.clear();
  }

  readonly fetch = (request: Request): Promise<Response> => {
    if (!this.isUp) return Promise.reject(new TypeError("fetch failed"));
    return new Promise((resolve, reject) => {
      const cut = () => reject(new TypeError("fetch failed"));
      this.#lines.add(cut);
      this.#server()
        .fetch(request)
        .then((response) => {
          if (this.#muted) return;
          this.#lines.delete(cut);
          resolve(response);
        }, reject);
    });
  };

  readonly connect = (credential: string): FrameChannel => {
    const far = this.isUp ? this.#server().connect(credential) : undefined;
    let open = true;
    const near: FrameChannel = {
      send: (frame) => far?.send(frame),
      close(code, reason) {
        open = false;
        far?.close(code, reason);
      },
    };
    const end = (code: number, reason = "") => {
      if (!open) return;
      near.close();
      near.onClose?.(code, reason);
    };
    this.#lines.add(() => end(1006));
    if (!far) queueMicrotask(() => end(1006));
    else {
      far.onFrame = (frame) => {
        if (open && !this.#muted) near.onFrame?.(frame);
      };
      far.onClose = end;
    }
    return near;
  };
}
