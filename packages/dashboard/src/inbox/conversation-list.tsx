import type { LiveConversation } from "@frontdesk/core/contract/live";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef } from "react";

/** How many rows before the end of the loaded ones the next page is fetched. */
const AHEAD = 20;

/** A virtualized list of any length. */
export function ConversationList({
  label,
  conversations,
  activeId,
  rowHeight,
  hasMore,
  onMore,
  draw,
}: {
  label: string;
  conversations: readonly LiveConversation[];
  activeId: string | undefined;
  /** In px. */
  rowHeight: number;
  hasMore: boolean;
  onMore(): void;
  draw(conversation: LiveConversation, place: number): ReactNode;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  // Stable while the list is the same: a new function recomputes all positions.
  const getItemKey = useCallback((index: number) => conversations[index]?.id ?? index, [conversations]);
  const rows = useVirtualizer({
    count: conversations.length,
    getScrollElement: () => scroller.current,
    getItemKey,
    estimateSize: () => rowHeight,
    overscan: 6,
  });
  // Rows have a fixed height and are never measured.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height recomputes all positions
  useLayoutEffect(() => rows.measure(), [rows, rowHeight]);
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= conversations.length - AHEAD) onMore();
  }, [hasMore, last, conversations.length, onMore]);

  // Scroll to the open conversation when another one is opened, not when the list changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const activeIndex = conversations.findIndex(({ id }) => id === activeId);
    if (activeIndex >= 0) rows.scrollToIndex(activeIndex, { align: "auto" });
  }, [activeId, rows]);

  return (
    <div ref={scroller} className="contain-content -outline-offset-2 min-h-0 flex-1 overflow-y-auto" tabIndex={0}>
      {/* biome-ignore lint/a11y/useSemanticElements: its rows are positioned absolutely */}
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
