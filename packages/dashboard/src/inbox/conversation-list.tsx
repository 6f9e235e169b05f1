import type { LiveConversation } from "@frontdesk/core/contract/live";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useRef } from "react";
import { ROW_HEIGHT } from "./conversation-row.tsx";

/** Rows before the end of what is there, when the next page is fetched. */
const AHEAD = 20;

/** A list of any length, of which only what is in sight is drawn. */
export function ConversationList({
  label,
  conversations,
  activeId,
  hasMore,
  onMore,
  draw,
}: {
  label: string;
  conversations: readonly LiveConversation[];
  activeId: string | undefined;
  hasMore: boolean;
  onMore(): void;
  draw(conversation: LiveConversation, place: number): ReactNode;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: conversations.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => conversations[index]?.id ?? index,
    estimateSize: () => ROW_HEIGHT,
    overscan: 6,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= conversations.length - AHEAD) onMore();
  }, [hasMore, last, conversations.length, onMore]);

  // The one that is open is kept in sight when another one is opened, not when the list changes.
  const activeIndex = conversations.findIndex(({ id }) => id === activeId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (activeIndex >= 0) rows.scrollToIndex(activeIndex, { align: "auto" });
  }, [activeId, rows]);

  return (
    <div ref={scroller} className="-outline-offset-2 min-h-0 flex-1 overflow-y-auto" tabIndex={0}>
      {/* biome-ignore lint/a11y/useSemanticElements: its rows stand where they are put */}
      <div role="list" aria-label={label} className="relative" style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index, key, start }) => {
          const conversation = conversations[index];
          return (
            <div
              key={key}
              role="presentation"
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              {conversation && draw(conversation, index + 1)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
