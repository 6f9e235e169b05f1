const LOW_HZ = 660;
const HIGH_HZ = 880;
const STEP_S = 0.1;
const FADE_S = 0.1;
const LENGTH_S = 0.5;
const VOLUME = 0.06;

let context: AudioContext | undefined;

/** Two soft tones. Silent where the browser allows no sound before the first interaction. */
export function chime(): void {
  try {
    context ??= new AudioContext();
    const now = context.currentTime;
    const tone = new OscillatorNode(context, { frequency: LOW_HZ });
    const volume = new GainNode(context, { gain: VOLUME });
    tone.frequency.setTargetAtTime(HIGH_HZ, now + STEP_S, FADE_S / 10);
    volume.gain.setTargetAtTime(0, now, FADE_S);
    tone.connect(volume).connect(context.destination);
    tone.start();
    tone.stop(now + LENGTH_S);
  } catch {
    // A missing sound is no error.
  }
}
