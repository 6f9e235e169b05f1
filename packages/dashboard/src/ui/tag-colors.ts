/** The colors of tags: the same as of contacts' avatars, which are easy to distinguish. */
export const TAG_COLORS: readonly string[] = [
  "#4f46e5",
  "#0a5fb8",
  "#146c37",
  "#8a5a00",
  "#c0262d",
  "#a21caf",
  "#0e7490",
];
