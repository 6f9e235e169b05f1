/** Undoing the sending of a reply, from the thread, by keys, or from another screen. */
import type { MessageFromInbox } from "@frontdesk/client/agent";
import { useNavigate } from "@tanstack/react-router";
import { type RefObject, useEffect } from "react";
import { theInbox, useInboxState } from "../inbox/live-inbox.ts";
import { t } from "../texts/texts.ts";
import { offerUndo, showToast } from "../ui/toast.ts";
import { focusReplyOf } from "./focus-reply.ts";
import type { Uploads } from "./uploads.ts";

/** Withdraws the offer to undo a reply, by its id. */
const offers = new Map<string, () => void>();

function withdraw(clientId: string): void {
  offers.get(clientId)?.();
  offers.delete(clientId);
}

/** Its text is back in the reply, where the cursor is then. */
export function useUndoSend(conversationId: string): (clientId: string) => Promise<void> {
  const navigate = useNavigate({ from: "/inbox" });
  return async (clientId) => {
    withdraw(clientId);
    const end = await theInbox().undo(clientId);
    if (end === "sent") showToast(t("undoSend.tooLate"));
    if (end !== "undone") return;
    focusReplyOf(conversationId);
    if (location.pathname.endsWith(`/inbox/${conversationId}`)) return;
    await navigate({ to: "/inbox/$conversationId", params: { conversationId }, search: true });
  };
}

/**
 * Sends a message, and offers to undo it for `holdMs`: by the key of undo, and where its conversation is left, by a toast.
 *
 * @param leaving the text of the toast; undefined when the conversation stays open
 */
export function sendWithUndo(
  message: Omit<MessageFromInbox, "client_id">,
  { holdMs, leaving, undo }: { holdMs: number; leaving: string | undefined; undo(clientId: string): void },
): void {
  const clientId = theInbox().send(message, { holdMs });
  if (holdMs === 0) return;
  const act = () => undo(clientId);
  offers.set(clientId, leaving === undefined ? offerUndo(act) : showToast(leaving, act, holdMs));
  setTimeout(() => withdraw(clientId), holdMs);
}

/** Puts back what an undone reply had besides its text: its files, and the newest message when it was begun. */
export function useReturned(
  conversationId: string,
  uploads: Uploads,
  begunAfter: RefObject<number | undefined>,
  onReturned: () => void,
): void {
  const hasReturned = useInboxState(({ returned }) => returned.has(conversationId));
  // biome-ignore lint/correctness/useExhaustiveDependencies: taken once, when something has come back
  useEffect(() => {
    if (!hasReturned) return;
    for (const { attachments = [], after_number } of theInbox().takeReturned(conversationId)) {
      uploads.putBack(attachments);
      if (after_number !== undefined) begunAfter.current = Math.min(after_number, begunAfter.current ?? after_number);
    }
    onReturned();
  }, [hasReturned, conversationId]);
}
