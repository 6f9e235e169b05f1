import type { Parts } from "./frame-state.ts";
import { scriptLoader } from "./load-script.ts";

type AiScript = typeof import("./ai.tsx")["default"];

const load = scriptLoader<AiScript>();

/** What belongs to a conversation with the AI (`ai.tsx`): a script of its own, loaded where there is one or may be one. */
export function ai(parts: Parts): AiScript | undefined {
  const { config, state } = parts;
  const isThere = config.ai || state.conversation?.speaker === "ai" || state.messages.some(({ by_ai }) => by_ai);
  return isThere ? load(config.aiScript, parts) : undefined;
}
