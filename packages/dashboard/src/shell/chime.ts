/** A short sound of two notes, synthesized: no file to fetch, and none that can fail. */
let context: AudioContext | undefined;
let last: OscillatorNode | undefined;

const NOTES = [659.25, 880];
const NOTE_SECONDS = 0.12;
const LOUDNESS = 0.08;

export function chime(): void {
  context ??= new AudioContext();
  // Suspended since the last sound, or muted until the first click.
  void context.resume();
  NOTES.forEach((pitch, index) => {
    if (!context) return;
    const start = context.currentTime + index * NOTE_SECONDS;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(LOUDNESS, start + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + NOTE_SECONDS * 2);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + NOTE_SECONDS * 2);
    last = tone;
    // Or the browser goes on computing silence for as long as the page is open.
    tone.onended = () => {
      if (tone === last) void context?.suspend();
    };
  });
}
