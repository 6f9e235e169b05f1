import type { Plugin } from "vite";

/** What stands between the first script and the inbox. Each would be asked for only when the one before it has run. */
const SCREENS = ["/src/app.tsx", "/src/shell/signed-in.tsx", "/src/inbox/inbox-page.tsx"];

/** Has the page ask for all scripts of the inbox at once. Whoever signs in first has them by then. */
export const preloadInbox: Plugin = {
  name: "preload-inbox",
  transformIndexHtml: {
    order: "post",
    handler(html, { bundle }) {
      const wanted = new Set<string>();
      const want = (file: string) => {
        const chunk = bundle?.[file];
        if (chunk?.type !== "chunk" || wanted.has(file)) return;
        wanted.add(file);
        for (const each of chunk.imports) want(each);
      };
      for (const chunk of Object.values(bundle ?? {})) {
        if (chunk.type === "chunk" && SCREENS.some((screen) => chunk.facadeModuleId?.endsWith(screen)))
          want(chunk.fileName);
      }
      return [...wanted]
        .filter((file) => !html.includes(file))
        .map((file) => ({
          tag: "link",
          attrs: { rel: "modulepreload", crossorigin: true, href: `./${file}` },
          injectTo: "head",
        }));
    },
  },
};
