import type { InteractionRecord } from "../../src/protocol/index.ts";
import { addressOf } from "../route.ts";

/** Asks the browser for leave to notify. Resolves with whether it may. */
export async function askToNotify(on: boolean): Promise<boolean> {
  if (!on || !("Notification" in window)) return false;
  return (await Notification.requestPermission()) === "granted";
}

/** A question is not a permission: the two read differently at a glance. */
export function notify({ id, sessionId, toolName, request }: InteractionRecord): void {
  const approval = request.interactionType === "approval";
  const text = request.prompt ?? request.questions?.[0]?.question ?? request.inputSchema?.title;
  const note = new Notification(approval ? `May ${toolName} run?` : "A question for you", {
    body: text?.slice(0, 200),
    tag: id,
    icon: "/icon.svg",
  });
  note.addEventListener("click", () => {
    window.focus();
    location.hash = addressOf({ page: "session", sessionId, interactionId: id });
    note.close();
  });
}

/** Two short tones, made here so that there is no file to fetch. */
export function ring(): void {
  const audio = new AudioContext();
  for (const [frequency, at] of [
    [660, 0],
    [880, 0.12],
  ] as const) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    const start = audio.currentTime + at;
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.08, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.25);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 0.25);
    if (at > 0) tone.addEventListener("ended", () => void audio.close());
  }
}
