import { WebSocket } from "ws";

/**
 * Follows one session over the WebSocket and comes back after whatever broke the line. What it
 * missed is sent to it from its last event on; what got no reply is sent again, and counts once.
 *
 * @param {{ url: string, token: string, sessionId: string, onEvent: (event: any) => void }} options
 */
export function connect({ url, token, sessionId, onEvent }) {
  const unanswered = new Map();
  let [afterSeq, ref, isClosed] = [0, 0, false];
  /** @type {WebSocket} */
  let socket;
  open();
  return {
    /** @param {Record<string, unknown>} frame with an id of its own: `messageId`, `responseId` */
    send(frame) {
      unanswered.set(++ref, { ...frame, ref });
      if (socket.readyState === WebSocket.OPEN) transmit(unanswered.get(ref));
    },
    close() {
      isClosed = true;
      socket.close();
    },
  };

  function open() {
    const headers = { authorization: `Bearer ${token}` };
    socket = new WebSocket(`${url.replace(/^http/, "ws")}/ws`, { headers });
    socket.on("open", () => {
      const interaction = { supported: true, enabled: true };
      const subscriptions = [{ sessionId, afterSeq }];
      transmit({ type: "hello", protocolVersion: 1, interaction, subscriptions });
      for (const frame of unanswered.values()) transmit(frame);
    });
    socket.on("message", (/** @type {Buffer} */ data) => {
      const frame = JSON.parse(data.toString());
      unanswered.delete(frame.ref);
      if (frame.error) console.error(frame.error);
      if (frame.code === "resync") {
        afterSeq = 0;
        socket.close();
      }
      if (frame.type !== "chat_event" || frame.event.seq === undefined) return;
      afterSeq = frame.event.seq;
      onEvent(frame.event);
    });
    socket.on("error", ({ message }) => console.error(message));
    socket.on("close", (code, reason) => {
      if (code === 4001) console.error(String(reason));
      else if (!isClosed) setTimeout(open, 500);
    });
  }

  /** @param {Record<string, unknown>} frame */
  function transmit(frame) {
    socket.send(JSON.stringify(frame));
  }
}
