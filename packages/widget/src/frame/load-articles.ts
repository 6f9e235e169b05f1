import type { Child } from "./draw.ts";
import type { Parts } from "./frame-state.ts";
import { scriptLoader } from "./load-script.ts";

type ArticlesScript = typeof import("./articles.tsx")["default"];

const load = scriptLoader<ArticlesScript>();
let script: ArticlesScript | undefined;

/** Articles before the first message, where the widget suggests them: a script of its own (`articles.tsx`), loaded here. */
export function Articles(parts: Parts): Child {
  return articlesScript(parts)?.Articles(parts);
}

/** The script; undefined until it is there, and where the widget shows no articles. */
export function articlesScript(parts: Parts): ArticlesScript | undefined {
  const { config, frame, state } = parts;
  if (!config.articles || (state.connection !== "live" && !frame.reading)) return undefined;
  if (frame.open) script = load(config.articles.script, parts);
  return script;
}
