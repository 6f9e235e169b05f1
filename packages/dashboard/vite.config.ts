import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import type { InlineConfig } from "vite";
import { preloadFont } from "./preload-font.ts";

/** How the dashboard is built. Addresses are relative, so that it runs below whatever path a proxy gives it. */
export const dashboardConfig: InlineConfig = {
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  configFile: false,
  logLevel: "warn",
  plugins: [tailwindcss(), preloadFont],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    // Browsers of the last three years, as the widget.
    target: ["chrome118", "firefox118", "safari17"],
    // Everything is a file of its own: the policy lets in no `data:` scripts, and fonts are to be kept by browsers.
    assetsInlineLimit: 0,
    manifest: "manifest.json",
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    // Of the scripts; src/sizes.test.ts says what they may weigh.
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      // "use client" is for servers that draw React; there is none here.
      onLog: (level, log, tell) => log.code !== "MODULE_LEVEL_DIRECTIVE" && tell(level, log),
      // One file until the inbox stands: 85 small ones of the same size took half a second more on a slow processor.
      output: { codeSplitting: { groups: [{ name: "inbox", tags: ["$initial"] }] } },
    },
  },
};

export default dashboardConfig;
