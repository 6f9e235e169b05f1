import type { LiveConversation } from "@frontdesk/core/contract/live";
import { isUnseen } from "@frontdesk/core/domain/inbox";
import { useEffect, useSyncExternalStore } from "react";
import { theInbox, useInboxState } from "../inbox/live-inbox.ts";

/** Marks a conversation that is open in a focused window as read, and a note in it that mentions the agent. */
export function useMarkRead(conversation: LiveConversation | undefined, newest: number): void {
  const isFocused = useIsFocused();
  const me = useInboxState((state) => state.me);
  const id = conversation?.id;
  const readNumber = useInboxState(({ ownReads }) => (id === undefined ? undefined : ownReads.get(id)));
  const isUnread =
    conversation !== undefined && (conversation.unread_messages > 0 || isUnseen(conversation, readNumber));
  // Whether a mention was read is unknown here; marking it twice changes nothing.
  const namesMe = conversation?.mentions.includes(me) ?? false;
  // Not when it becomes unread again: the agent may have marked it so, to return to it later.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (id && (isUnread || namesMe) && isFocused && newest > 0)
      void theInbox().act([id], "read", { sort_number: newest });
  }, [id, isFocused, newest]);
}

function useIsFocused(): boolean {
  return useSyncExternalStore(
    (listener) => {
      for (const event of ["focus", "blur"]) addEventListener(event, listener);
      document.addEventListener("visibilitychange", listener);
      return () => {
        for (const event of ["focus", "blur"]) removeEventListener(event, listener);
        document.removeEventListener("visibilitychange", listener);
      };
    },
    () => document.visibilityState === "visible" && document.hasFocus(),
  );
}
