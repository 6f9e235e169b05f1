/** The widget's own icons, for its preview. The widget's package is not a dependency; a test compares them. */
export const launcherIcon = "M4 5.5h16v11H9.5L5 20v-3.5H4zM8.5 11h7";
export const emojiIcon = "M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0zM7.5 8.3v.1M12.5 8.3v.1M7 12c1.6 2 4.4 2 6 0";
export const fileIcon = "M15 9l-6 6a3 3 0 0 1-4-4l6-6a2 2 0 0 1 3 3l-6 6a1 1 0 0 1-1-1l5-5";
export const sendIcon = "M10 16V4.5M5 9.5l5-5 5 5";
