import type { SentVia } from "../conversation.ts";
import type { Speaker } from "./ai-settings.ts";

/** What can change who speaks for the team in a conversation. */
export type SpeakerChange =
  /** An episode begins. `isAiHere`: a visitor's message has begun it, and the AI answers it (`ai-audience.ts`). */
  | { name: "opened"; isAiHere: boolean }
  /** A message of the team that the visitor sees. */
  | { name: "message-sent"; via: SentVia }
  | { name: "assigned" | "taken-over" | "handed-over" | "resolved" }
  /** "Return to assistant". `isAiHere`: the AI is set up for this place. */
  | { name: "returned"; isAiHere: boolean };

/**
 * Who speaks in a conversation after a change:
 *
 * ```
 *                                      a person or a program writes, assigned, taken over
 *  opened, the AI answers --> ai --------------------------------------------------------------> human <-- opened, it does not
 *                             ^ |                                                                 ^  |
 *                             | '--handed over--> waiting --a person writes, assigned, taken over-'  |
 *                             |                      |                                               |
 *                             '-----returned---------+-----------------------------------------------'
 * ```
 * Resolving ends it: it is human until the next episode. Notes change nothing.
 */
export function speakerAfter(before: Speaker, change: SpeakerChange): Speaker {
  switch (change.name) {
    case "opened":
    case "returned":
      return change.isAiHere ? "ai" : "human";
    case "message-sent":
      return afterMessage(before, change.via);
    case "handed-over":
      return before === "ai" ? "waiting" : before;
    case "assigned":
    case "taken-over":
    case "resolved":
      return "human";
    default:
      return change satisfies never;
  }
}

function afterMessage(before: Speaker, via: SentVia): Speaker {
  switch (via) {
    case "widget":
    case "ai":
      return before;
    // A program ends a turn of the AI, but is not the person for whom a visitor waits.
    case "automation":
    case "assistant":
      return before === "waiting" ? before : "human";
    case "dashboard":
    case "api":
    case "channel":
      return "human";
    default:
      return via satisfies never;
  }
}
