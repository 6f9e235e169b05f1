import type { Plugin } from "vite";

/** The font file for Latin letters and digits, which every language needs. */
const FONT = /inter-latin-wght-normal.*\.woff2$/;

/** Preloads the font with the scripts: otherwise a browser requests it with the first text, and renders that again. */
export const preloadFont: Plugin = {
  name: "preload-font",
  transformIndexHtml: {
    order: "post",
    handler: (_, { bundle }) =>
      Object.keys(bundle ?? {})
        .filter((file) => FONT.test(file))
        .map((file) => ({
          tag: "link",
          attrs: { rel: "preload", href: `./${file}`, as: "font", type: "font/woff2", crossorigin: true },
          injectTo: "head",
        })),
  },
};
