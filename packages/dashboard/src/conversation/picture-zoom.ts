/** The position of an image on the screen: its scale, and its offset from the middle, in px. */
export interface PictureView {
  scale: number;
  x: number;
  y: number;
}

/** The whole image is visible. */
export const WHOLE: PictureView = { scale: 1, x: 0, y: 0 };

const LARGEST = 8;
/** One step of a button or a key. */
export const ZOOM_STEP = 1.5;
/** One arrow key, in px. */
export const PAN_STEP = 80;

interface Size {
  width: number;
  height: number;
}

/**
 * Zooms in or out around the point `at`.
 *
 * @param at from the middle of the stage, in px
 * @param stage the area that shows the image
 */
export function zoomed(
  { scale, x, y }: PictureView,
  factor: number,
  at: { x: number; y: number },
  stage: Size,
): PictureView {
  const next = Math.min(LARGEST, Math.max(1, scale * factor));
  const grown = next / scale;
  return held({ scale: next, x: at.x - (at.x - x) * grown, y: at.y - (at.y - y) * grown }, stage);
}

export function panned(view: PictureView, by: { x: number; y: number }, stage: Size): PictureView {
  return held({ ...view, x: view.x + by.x, y: view.y + by.y }, stage);
}

/** The image never leaves the stage. */
function held({ scale, x, y }: PictureView, { width, height }: Size): PictureView {
  if (scale === 1) return WHOLE;
  const [mostX, mostY] = [((scale - 1) * width) / 2, ((scale - 1) * height) / 2];
  return { scale, x: Math.min(mostX, Math.max(-mostX, x)), y: Math.min(mostY, Math.max(-mostY, y)) };
}
