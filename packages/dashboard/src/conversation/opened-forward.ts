/** The email that the agent forwards: one dialog for the open conversation, also after the forward was undone. */
import type { LiveMessage } from "@frontdesk/core/contract/live";
import { useSyncExternalStore } from "react";

export interface OpenedForward {
  conversationId: string;
  message: LiveMessage;
}

let opened: OpenedForward | undefined;
const listeners = new Set<() => void>();

export function openForward(next: OpenedForward | undefined): void {
  opened = next;
  for (const listener of listeners) listener();
}

/** That of this conversation. */
export function useOpenedForward(conversationId: string): OpenedForward | undefined {
  const current = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => opened,
  );
  return current?.conversationId === conversationId ? current : undefined;
}

export const canForward = ({ mail, is_redacted }: LiveMessage): boolean => mail !== undefined && !is_redacted;
