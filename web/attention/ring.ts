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
