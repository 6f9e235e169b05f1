import type { Plugin } from "vite";

/** The face that digits and names are written in, whatever the language. */
const FONT = /inter-latin-wght-normal.*\.woff2$/;

/** Has the page ask for the font beside its scripts: a browser asks only when the first text is drawn, and draws it again then. */
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
