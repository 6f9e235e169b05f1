import type { LiveConversation } from "@frontdesk/core/contract/live";
import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowUp } from "lucide-react";
import { type ReactNode, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { movedAbove } from "./list-anchor.ts";
import { useRowFocus } from "./row-focus.ts";

/** How many rows before the end of the loaded ones the next page is fetched. */
const AHEAD = 20;

/**
 * A virtualized list of any length. What is visible stays in place when rows come in above it. It is one tab stop: arrows, Home and End
 * move the focus from row to row, Enter opens, Space selects.
 */
export function ConversationList({
  label,
  conversations,
  activeId,
  rowHeight,
  hasMore,
  onMore,
  onChoose,
  draw,
}: {
  label: string;
  conversations: readonly LiveConversation[];
  activeId: string | undefined;
  /** In px. */
  rowHeight: number;
  hasMore: boolean;
  onMore(): void;
  onChoose(id: string, range: boolean): void;
  draw(conversation: LiveConversation, place: number, tabStop: boolean): ReactNode;
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
  const newAbove = useNewAbove(scroller, conversations, activeId, rowHeight, rows.scrollOffset ?? 0);
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= conversations.length - AHEAD) onMore();
  }, [hasMore, last, conversations.length, onMore]);

  const { tabStop, press, onFocus } = useRowFocus(scroller, rows, conversations, activeId, onChoose);

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      {newAbove > 0 && (
        <Button
          look="primary"
          size="compact"
          onClick={() => rows.scrollToOffset(0)}
          className="-translate-x-1/2 rtl:translate-x-1/2 absolute start-1/2 top-2 z-20 rounded-full shadow-menu"
        >
          <ArrowUp size={14} aria-hidden="true" />
          {t("list.new", { count: newAbove })}
        </Button>
      )}
      {/* Its rows are reached by keys; browsers would make what scrolls another tab stop. */}
      <div
        ref={scroller}
        className="contain-content min-h-0 flex-1 overflow-y-auto outline-none [overflow-anchor:none]"
        tabIndex={-1}
      >
        {/* biome-ignore lint/a11y/useSemanticElements: its rows are positioned absolutely */}
        <div
          role="list"
          aria-label={label}
          className="relative"
          style={{ height: rows.getTotalSize() }}
          onKeyDown={press}
          onFocus={onFocus}
        >
          {shown.map(({ index, key, start }) => {
            const conversation = conversations[index];
            return (
              <div
                key={key}
                role="presentation"
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${start}px)` }}
              >
                {conversation && draw(conversation, index + 1, conversation.id === tabStop)}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

const NONE: ReadonlySet<string> = new Set();

/** Scrolls so that visible rows stay in place, and counts the rows that came in above them and have not been in sight since. */
function useNewAbove(
  scroller: RefObject<HTMLDivElement | null>,
  conversations: readonly LiveConversation[],
  activeId: string | undefined,
  rowHeight: number,
  scrollOffset: number,
): number {
  const drawn = useRef(conversations);
  const [came, setCame] = useState(NONE);
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows come into sight by scrolling, too
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const visible = (from: number) => ({
      from: Math.floor(from / rowHeight),
      to: Math.ceil((from + element.clientHeight) / rowHeight) - 1,
    });
    const moved = movedAbove({ rows: drawn.current, ...visible(element.scrollTop) }, conversations, activeId);
    drawn.current = conversations;
    if (moved.by !== 0) element.scrollTop += moved.by * rowHeight;
    if (moved.came.length === 0 && came.size === 0) return;
    const { from } = visible(element.scrollTop);
    const above = new Set(conversations.slice(0, from).map(({ id }) => id));
    const next = new Set([...came, ...moved.came].filter((id) => above.has(id)));
    if (moved.came.length > 0 || next.size < came.size) setCame(next);
  }, [conversations, rowHeight, scrollOffset, came]);
  return came.size;
}
