/** What the built-in AI does in random steps; its drafts come from another process, which the app hears through Redis. */
import type { DraftOfTurn } from "@frontdesk/server/ai/turn/turn";
import { type AiDrafts, createAiDrafts } from "@frontdesk/server/live/ai-drafts";
import { redisPubSub } from "@frontdesk/server/pub-sub";
import type { HoldingAi } from "./held-by-ai.ts";

/**
 * - `drafts`: it holds the conversation, and more of an answer is seen · `answers`: with what was seen last, if anything was
 * - `withdraws`: what was seen is not said
 */
export type DeedOfAi = "holds" | "drafts" | "withdraws" | "answers" | "hands over";

/** @param line begins what it says, where no draft has begun it */
export type RandomAi = (deed: DeedOfAi, conversationId: string, line: string) => Promise<void>;

/** The other process of drafts. */
export function openAiDrafts(redisUrl: string): { publish: AiDrafts["publish"]; close(): void } {
  const pubSub = redisPubSub(redisUrl);
  pubSub.open();
  const { publish } = createAiDrafts({
    ...{ pubSub, processId: "beside", now: Date.now },
    showDraft: () => Promise.reject(new Error("It has no streams.")),
  });
  return { publish, close: pubSub.close };
}

/** An answer begins with what was seen of it; what is withdrawn is said by no one. */
export function randomAi(ai: HoldingAi, shows: (of: DraftOfTurn, text: string) => void): RandomAi {
  const begun = new Map<string, string>();
  return async (deed, conversationId, line) => {
    const before = begun.get(conversationId);
    if (deed !== "drafts") begun.delete(conversationId);
    switch (deed) {
      case "holds":
        return ai.holds(conversationId);
      case "drafts": {
        const text = before ? `${before} And so on.` : `${line}.`;
        begun.set(conversationId, text);
        await ai.holds(conversationId);
        return shows(await ai.thinks(conversationId), text);
      }
      case "withdraws":
        return shows(await ai.thinks(conversationId), "");
      case "answers": {
        const sources = [{ title: "Returns", url: "https://acme.test/returns" }];
        await ai.says(conversationId, { content: `${before ?? `${line}.`} That is all.`, sources });
        return;
      }
      case "hands over":
        return ai.handsOver(conversationId, "asked-for-human");
      default:
        return deed satisfies never;
    }
  };
}
