import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import type { InlineConfig } from "vite";
import { preloadFont } from "./preload-font.ts";

/** The build of the dashboard. URLs are relative, so that it works below any path of a proxy. */
export const dashboardConfig: InlineConfig = {
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  configFile: false,
  logLevel: "warn",
  plugins: [tailwindcss(), preloadFont],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    // Browsers of the last three years, as for the widget.
    target: ["chrome118", "firefox118", "safari17"],
    // No inlining: the content security policy forbids `data:` scripts, and browsers should cache fonts.
    assetsInlineLimit: 0,
    manifest: "manifest.json",
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    // Of scripts; src/sizes.test.ts has the bounds.
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      // "use client" is for React on servers, which is not used here.
      onLog: (level, log, tell) => log.code !== "MODULE_LEVEL_DIRECTIVE" && tell(level, log),
      // One file for the first screen of the inbox: 85 small ones of the same size took half a second more on a slow processor.
      output: { codeSplitting: { groups: [{ name: "inbox", tags: ["$initial"] }] } },
    },
  },
};

export default dashboardConfig;
