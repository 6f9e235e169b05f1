/** A line icon of 20 px in the color of the text. Hidden from screen readers: its button has a label. */
export function icon(path: string) {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

export const closeIcon = "M5 8l5 5 5-5";
export const crossIcon = "M6 6l8 8M14 6l-8 8";
export const sendIcon = "M10 16V4.5M5 9.5l5-5 5 5";
export const emojiIcon = "M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0zM7.5 8.3v.1M12.5 8.3v.1M7 12c1.6 2 4.4 2 6 0";
export const soundIcon = "M4 8v4h2.5L10 15V5L6.5 8zM13 7.5a3.5 3.5 0 0 1 0 5M15 5.5a6.3 6.3 0 0 1 0 9";
export const muteIcon = "M4 8v4h2.5L10 15V5L6.5 8zM13.5 8l3.5 4M17 8l-3.5 4";
export const fileIcon = "M15 9l-6 6a3 3 0 0 1-4-4l6-6a2 2 0 0 1 3 3l-6 6a1 1 0 0 1-1-1l5-5";
/** The sign of the AI. */
export const aiIcon = "M10 3l1.9 5.1L17 10l-5.1 1.9L10 17l-1.9-5.1L3 10l5.1-1.9z";
