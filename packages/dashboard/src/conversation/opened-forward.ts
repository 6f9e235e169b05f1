/** The email that the agent forwards: one dialog for the open conversation, also after the forward was undone. */
import type { LiveMessage } from "@frontdesk/core/contract/live";
import { createOpened } from "./opened.ts";

export interface OpenedForward {
  conversationId: string;
  message: LiveMessage;
}

const [openForward, useOpened] = createOpened<OpenedForward>();

export { openForward };

/** That of this conversation. */
export function useOpenedForward(conversationId: string): OpenedForward | undefined {
  const current = useOpened();
  return current?.conversationId === conversationId ? current : undefined;
}

export const canForward = ({ mail, is_redacted }: LiveMessage): boolean => mail !== undefined && !is_redacted;
