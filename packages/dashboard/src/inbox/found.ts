/** What a conversation was opened for by a search. It is in the history, so that it is there after a reload, and not in links. */
import type { Marked } from "@frontdesk/core/domain/highlights";
import { wordsToMark } from "@frontdesk/core/domain/search-query";
import { useRouterState } from "@tanstack/react-router";
import { useMemo } from "react";
import type { FoundMessage } from "../conversation/use-found-message.ts";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The search as it was typed. */
    find?: string;
    /** Whether a typo in it was forgiven. */
    forgiving?: boolean;
    /** The sort number of the message that was found. */
    foundAt?: number;
  }
}

export interface Found {
  /** What is marked; the same object for the same search. */
  marked: Marked | undefined;
  message: FoundMessage | undefined;
}

export function useFound(): Found {
  const find = useRouterState({ select: ({ location }) => location.state.find });
  const forgiving = useRouterState({ select: ({ location }) => location.state.forgiving ?? false });
  const foundAt = useRouterState({ select: ({ location }) => location.state.foundAt });
  const visit = useRouterState({ select: ({ location }) => location.state.__TSR_key ?? "" });
  return useMemo(
    () => ({
      marked: find ? { words: wordsToMark(find), forgiving } : undefined,
      message: foundAt === undefined ? undefined : { sortNumber: foundAt, visit },
    }),
    [find, forgiving, foundAt, visit],
  );
}
