import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { dayOf } from "../texts/dates.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { HoldPosition } from "./hold-position.ts";
import type { ThreadItem } from "./thread-items.ts";
import { type FoundMessage, useFoundMessage } from "./use-found-message.ts";
import { useLowerEnd } from "./use-lower-end.ts";

/** The estimated height of a row; each is measured when it is rendered. */
const ROW_GUESS = 64;
/** Within this distance of its end, a thread follows new messages. */
const AT_END = 96;
/** Within this distance of its start, older messages are fetched. */
const AT_START = 800;

/**
 * A virtualized thread of any length. At its end it follows new messages; further up the scroll position stays, also while
 * older messages load above.
 */
export function Thread({
  label,
  items,
  draw,
  hasOlder,
  onOlder,
  found,
}: {
  label: string;
  items: readonly ThreadItem[];
  draw(item: Extract<ThreadItem, { kind: "message" | "entry" | "draft" | "waiting" }>): ReactNode;
  hasOlder: boolean;
  onOlder(): Promise<unknown>;
  found?: FoundMessage | undefined;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const loading = useRef(false);
  const [atEnd, setAtEnd] = useState(true);
  // Stable while the items are the same: a new function recomputes all positions.
  const getItemKey = useCallback((index: number) => items[index]?.key ?? index, [items]);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    getItemKey,
    estimateSize: () => ROW_GUESS,
    anchorTo: "end",
    followOnAppend: true,
    scrollEndThreshold: AT_END,
    overscan: 8,
    paddingStart: 16,
    paddingEnd: 16,
  });
  useLayoutEffect(() => rows.scrollToEnd(), [rows]);
  // When older messages load, the first row loses its heading: keep its text at the same position.
  const first = useRef<ThreadItem["key"]>(undefined);
  const joined = useRef<ThreadItem["key"]>(undefined);
  useLayoutEffect(() => {
    const key = items[0]?.key;
    if (key !== first.current) joined.current = first.current;
    first.current = key;
  }, [items]);
  // Also while scrolling up, unlike the default: rows above that change their height must not move the text.
  rows.shouldAdjustScrollPositionOnItemSizeChange = ({ key, start, end }, _, { itemSizeCache, scrollOffset }) => {
    if (key === joined.current) {
      joined.current = undefined;
      return true;
    }
    return (itemSizeCache.has(key) ? end : start + 1) <= (scrollOffset ?? 0);
  };

  const loadOlder = () => {
    if (!hasOlder || loading.current) return;
    loading.current = true;
    onOlder().finally(() => {
      loading.current = false;
    });
  };
  const look = () => {
    if (scroller.current && scroller.current.scrollTop <= AT_START) loadOlder();
  };
  // Runs whenever rows turn out higher than estimated, not only while scrolling. Measured in the animation frame, which
  // computes the layout anyway: right now, layout would run twice.
  useEffect(() => {
    const frame = requestAnimationFrame(() => setAtEnd(rows.isAtEnd(AT_END)));
    return () => cancelAnimationFrame(frame);
  });
  // Fetch another page when the first does not fill the screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: checked whenever the rows change
  useEffect(look, [items.length, hasOlder]);
  const waiting = items.at(-1)?.kind === "waiting" ? items.at(-1)?.key : undefined;
  // Scroll to the agent's own message, wherever they were reading.
  useEffect(() => {
    if (waiting !== undefined) rows.scrollToEnd();
  }, [waiting, rows]);

  // The next rendering sets the options again.
  const hold = useCallback(() => rows.setOptions({ ...rows.options, anchorTo: "start" }), [rows]);
  useLowerEnd(scroller);
  useFoundMessage({
    found,
    items,
    scroller,
    scrollTo: (index) => rows.scrollToIndex(index, { align: "center" }),
    onOlder: loadOlder,
  });

  return (
    <div className="relative min-h-0 flex-1">
      {/* Scrollable content has to be reachable by keyboard. */}
      <section
        ref={scroller}
        onScroll={look}
        tabIndex={0}
        aria-label={label}
        className="contain-content -outline-offset-2 flex h-full flex-col overflow-y-auto overflow-x-hidden [overflow-anchor:none]"
      >
        <div className="relative mt-auto w-full shrink-0" style={{ height: rows.getTotalSize() }}>
          <HoldPosition value={hold}>
            {rows.getVirtualItems().map(({ index, key, start }) => {
              const item = items[index];
              return (
                <div
                  key={key}
                  ref={rows.measureElement}
                  data-index={index}
                  className="absolute inset-x-0 top-0"
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <div className="mx-auto w-full max-w-3xl px-4">{item && <Row item={item} draw={draw} />}</div>
                </div>
              );
            })}
          </HoldPosition>
        </div>
      </section>
      {!atEnd && <ToNewest onClick={() => rows.scrollToEnd()} />}
    </div>
  );
}

function ToNewest({ onClick }: { onClick(): void }) {
  return (
    <Button
      size="compact"
      className="absolute inset-x-0 bottom-3 mx-auto w-fit rounded-full shadow-menu"
      onClick={onClick}
    >
      <ArrowDown size={14} aria-hidden="true" />
      {t("toNewest")}
    </Button>
  );
}

function Row({
  item,
  draw,
}: {
  item: ThreadItem;
  draw(item: Extract<ThreadItem, { kind: "message" | "entry" | "draft" | "waiting" }>): ReactNode;
}) {
  if (item.kind === "day") {
    return (
      <p className="flex items-center gap-3 pt-4 text-label text-subtle before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        <span className="first-letter:uppercase">{dayOf(item.at)}</span>
      </p>
    );
  }
  if (item.kind === "new") {
    return (
      <p className="flex items-center gap-3 pt-3 font-medium text-label text-accent-text before:h-px before:flex-1 before:bg-accent after:h-px after:flex-1 after:bg-accent">
        {t("newMessages")}
      </p>
    );
  }
  return draw(item);
}
