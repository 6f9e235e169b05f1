import type { Parts } from "./frame-state.ts";

const AGAIN_MS = 5_000;

/** Loads a script that some visitors need, when it is asked for first; undefined until it is there. As `load-on-demand.ts`. */
export function scriptLoader<Script>(): (address: string, parts: Parts) => Script | undefined {
  let loaded: Script | undefined;
  let isLoading = false;
  let attempts = 0;
  return (address, { change }) => {
    if (!isLoading) {
      isLoading = true;
      import(`${address}#${attempts++}`).then(
        ({ default: script }: { default: Script }) => {
          loaded = script;
          change({});
        },
        () =>
          setTimeout(() => {
            isLoading = false;
            change({});
          }, AGAIN_MS),
      );
    }
    return loaded;
  };
}
