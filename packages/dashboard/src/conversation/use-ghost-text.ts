import { useEffect, useMemo, useSyncExternalStore } from "react";
import { askCopilot, type CopilotAnswer } from "../service/copilot.ts";
import { type AwaitedMessage, createGhostTexts } from "./ghost-texts.ts";

const ghostTexts = createGhostTexts(askCopilot);

/** An agent who begins to write at once, or passes through, costs no call of the model. */
const ASKS_AFTER_MS = 300;

/**
 * The reply suggested in an empty composer: undefined until it is there, while the composer does not have the focus, and once it
 * was taken or dropped. It belongs to the visitor's message that it answers, so it never appears in another conversation.
 */
export function useGhostText(
  conversationId: string,
  {
    messageId,
    isBegun,
    isFocused,
  }: {
    /** Of the visitor's message to answer; undefined where none is suggested. */
    messageId: string | undefined;
    /** Whether the agent has begun a reply of their own. */
    isBegun: boolean;
    /** Whether the agent is in the field for replies. */
    isFocused: boolean;
  },
): { answer: CopilotAnswer | undefined; end(): void } {
  const message = useMemo<AwaitedMessage | undefined>(
    () => (messageId === undefined ? undefined : { conversationId, messageId }),
    [conversationId, messageId],
  );
  const ghost = useSyncExternalStore(ghostTexts.subscribe, () => message && ghostTexts.of(message));

  useEffect(() => {
    if (message && isBegun) ghostTexts.end(message);
  }, [message, isBegun]);

  useEffect(() => {
    if (!message || isBegun || !isFocused) return;
    const timer = setTimeout(() => ghostTexts.ask(message), ASKS_AFTER_MS);
    return () => clearTimeout(timer);
  }, [message, isBegun, isFocused]);

  // The conversation is left, or there is a newer message.
  useEffect(() => message && (() => ghostTexts.leave(message)), [message]);

  return {
    answer: isFocused && !isBegun && ghost?.state === "there" ? ghost.answer : undefined,
    end: () => message && ghostTexts.end(message),
  };
}
