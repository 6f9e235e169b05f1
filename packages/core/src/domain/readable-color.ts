/** Readable colors, derived from one color that an owner has chosen. Contrast is WCAG 2.2's: 4.5 for text (criterion 1.4.3). */

const TEXT_CONTRAST = 4.5;
const WHITE = "#ffffff";
const DARK = "#17181c";
/** The number of steps in which a color is mixed towards black or white until it is readable. */
const STEPS = 20;

/** White or near black: the more readable one on `color`: 4.5 for nearly every color, 4.2 at the least. */
export function inkOn(color: string): string {
  return contrast(WHITE, color) >= contrast(DARK, color) ? WHITE : DARK;
}

/** `color`, mixed with black or white only as far as needed to be readable as text on `ground`. */
export function readableOn(ground: string, color: string): string {
  const towards = inkOn(ground) === WHITE ? WHITE : "#000000";
  for (let step = 0; step < STEPS; step += 1) {
    const mixed = mix(color, towards, step / STEPS);
    if (contrast(mixed, ground) >= TEXT_CONTRAST) return mixed;
  }
  return towards;
}

/** `share` (0 to 1) of `other` in `color`. */
export function mix(color: string, other: string, share: number): string {
  const [from, to] = [channels(color), channels(other)];
  const mixed = from.map((value, index) => Math.round(value + ((to[index] ?? 0) - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** From 1 (the same) to 21 (black and white). */
export function contrast(one: string, other: string): number {
  const [dim = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dim + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}
