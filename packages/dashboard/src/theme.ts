/** The theme: light, dark, or the system's. The script in index.html sets it before the first painting. */
import { readLocal, writeLocal } from "./local-storage.ts";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const system = matchMedia("(prefers-color-scheme: dark)");

export function currentTheme(): Theme {
  return readLocal<Theme>("theme") ?? "system";
}

export function setTheme(theme: Theme): void {
  writeLocal("theme", theme);
  show();
}

/** Follows the system's theme while that is chosen. */
export function followTheme(): void {
  show();
  system.addEventListener("change", show);
  addEventListener("storage", show);
}

function show(): void {
  const theme = currentTheme();
  const dark = theme === "dark" || (theme === "system" && system.matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}
