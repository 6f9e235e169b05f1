import type { LiveConversation } from "@frontdesk/core/contract/live";
import { useEffect, useSyncExternalStore } from "react";
import { theInbox, useInboxState } from "../inbox/live-inbox.ts";

/** A conversation that is open in a focused window is marked as read, and so is a note in it that mentions the agent. */
export function useMarkRead(conversation: LiveConversation | undefined, newest: number): void {
  const isFocused = useIsFocused();
  const me = useInboxState((state) => state.me);
  const id = conversation?.id;
  const isUnread = (conversation?.unread_messages ?? 0) > 0;
  // Whether a mention was seen already is not known here; marking it twice changes nothing.
  const namesMe = conversation?.mentions.includes(me) ?? false;
  // Not whenever it becomes unread: the agent may have marked it so, to come back to it.
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
