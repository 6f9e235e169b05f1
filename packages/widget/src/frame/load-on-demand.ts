/**
 * The parts that a first look does not need are a script of their own (`on-demand.ts`). It is loaded once the chat is open or
 * there is a conversation; until then, and when it fails, the rest works without it.
 */
export type OnDemand = typeof import("./on-demand.ts")["default"];

const AGAIN_MS = 5_000;

let isLoading = false;
let loaded: (parts: OnDemand) => void;

/** The parts; undefined until they are loaded. */
export let onDemand: OnDemand | undefined;

/** For what cannot be drawn later, such as a click. */
export const onDemandLoaded = new Promise<OnDemand>((resolve) => {
  loaded = resolve;
});

/** Loads the parts, unless that is done or under way. After a failure the next call but those of the first seconds tries again. */
export function loadOnDemand(script: string, redraw: () => void): void {
  if (isLoading) return;
  isLoading = true;
  // Some browsers remember that an address has failed, so each attempt has its own.
  import(`${script}#${Date.now()}`).then(
    ({ default: parts }: { default: OnDemand }) => {
      onDemand = parts;
      loaded(parts);
      redraw();
    },
    () =>
      setTimeout(() => {
        isLoading = false;
        redraw();
      }, AGAIN_MS),
  );
}
