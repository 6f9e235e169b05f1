import type { Child } from "./draw.ts";
import type { Parts } from "./frame-state.ts";

const AGAIN_MS = 5_000;

let shown: ((parts: Parts) => Child) | undefined;
let isLoading = false;
let attempts = 0;

/** Articles before the first message, where the widget suggests them: a script of its own (`articles.tsx`), loaded here. */
export function Articles(parts: Parts): Child {
  const { config, frame, state, change } = parts;
  if (!config.articles || state.connection !== "live") return null;
  if (!shown && !isLoading && frame.open) {
    isLoading = true;
    // As in `load-on-demand.ts`.
    import(`${config.articles.script}#${attempts++}`).then(
      ({ default: script }: { default: { Articles: typeof Articles } }) => {
        shown = script.Articles;
        change({});
      },
      () =>
        setTimeout(() => {
          isLoading = false;
          change({});
        }, AGAIN_MS),
    );
  }
  return shown?.(parts);
}
