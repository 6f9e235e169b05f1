import type { AiCheckFailure, AiPassage } from "./ai-settings.ts";

/** A message of the conversation, as the model is shown it. Notes are none. */
export interface PromptMessage {
  author: "visitor" | "ai" | "agent";
  /** Of an agent; null for the others. */
  name: string | null;
  text: string;
  /** Names of the files that came with it. */
  attachments: readonly string[];
}

export interface PromptParts {
  /** The AI's own name. */
  name: string;
  /** The owner's rules; may be empty. */
  instructions: string;
  canary: string;
  /** A random word of this run, of letters and digits: what stands between two of it is data. */
  fence: string;
  /** The language to reply in, as BCP 47; null: that of the visitor's last message, whichever it is. */
  language: string | null;
  /** ms since the epoch, and the team's time zone. */
  now: number;
  timezone: string;
  /** The opening hours in words; empty without any. */
  hours: string;
  visitor: { name: string | null; page: string | null };
  passages: readonly AiPassage[];
  /** From the start of the episode, oldest first. */
  conversation: readonly PromptMessage[];
  /** Why what the model wrote before could not be said; null at the first call. */
  failure: AiCheckFailure | "unreadable" | null;
}

export interface ModelMessage {
  role: "system" | "user";
  content: string;
}

/** What the model is sent: our rules and the owner's as the system, everything else as fenced data of the user. */
export function buildPrompt({ instructions, canary, conversation, passages }: PromptParts): ModelMessage[] {
  const articles = passages.map(({ title, text }, index) => `[${index + 1}] ${title}\n${text}`).join("\n\n");
  return [
    { role: "system", content: `${instructions}\n${canary}` },
    { role: "user", content: `${articles}\n\n${conversation.map(({ text }) => text).join("\n")}` },
  ];
}
