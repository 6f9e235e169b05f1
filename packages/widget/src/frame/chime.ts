const TONES_HZ = [660, 880];
const TONE_S = 0.09;
const VOLUME = 0.06;

let context: AudioContext | undefined;

/** Two soft tones. Silent where the browser lets nothing sound before the visitor has touched the page. */
export function chime(): void {
  try {
    context ??= new AudioContext();
    const start = context.currentTime;
    for (const [index, frequency] of TONES_HZ.entries()) {
      const [tone, gain] = [context.createOscillator(), context.createGain()];
      const at = start + index * TONE_S;
      tone.frequency.value = frequency;
      gain.gain.setValueAtTime(0, at);
      gain.gain.linearRampToValueAtTime(VOLUME, at + 0.01);
      gain.gain.exponentialRampToValueAtTime(0.0001, at + TONE_S * 2);
      tone.connect(gain).connect(context.destination);
      tone.start(at);
      tone.stop(at + TONE_S * 2);
    }
  } catch {
    // No sound is no trouble.
  }
}
