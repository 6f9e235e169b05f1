/** Puts the cursor in the reply of a conversation that is opened with Enter, once it is shown. */
import { useEffect } from "react";

let wanted: string | undefined;
let look = () => {};

/** Also for the one that is open already. */
export function focusReplyOf(conversationId: string): void {
  wanted = conversationId;
  // After the key press: its Enter must not reach the field.
  setTimeout(() => look());
}

export function useFocusReply(conversationId: string, isShown: boolean, focus: () => void): void {
  useEffect(() => {
    look = () => {
      if (!isShown || wanted !== conversationId) return;
      wanted = undefined;
      focus();
    };
    const timer = setTimeout(look);
    return () => {
      clearTimeout(timer);
      look = () => {};
    };
  }, [conversationId, isShown, focus]);
}
