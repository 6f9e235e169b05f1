import { firstReason } from "@frontdesk/client/agent";
import { useMemo } from "react";
import { useInboxState } from "../inbox/live-inbox.ts";
import { refusalText } from "../texts/refusal-text.ts";
import type { WaitingMessage } from "./thread-items.ts";

/** A teammate has replied first. */
const CONFLICT = 409;

/** The agent's messages that are not in the thread yet. */
export function useWaiting(conversationId: string): readonly WaitingMessage[] {
  const outbox = useInboxState((state) => state.outbox);
  return useMemo(
    () =>
      outbox
        .filter(({ conversation_id }) => conversation_id === conversationId)
        .map(({ client_id, type, content, attachments, refused, hold }) => ({
          client_id,
          type: type === "note" ? "note" : "message",
          content,
          attachments,
          problem: refused && refusalText(firstReason(refused)),
          overtaken: refused?.status === CONFLICT,
          hold,
        })),
    [outbox, conversationId],
  );
}
