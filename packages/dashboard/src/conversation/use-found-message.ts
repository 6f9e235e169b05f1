import { type RefObject, useEffect, useRef } from "react";
import type { ThreadItem } from "./thread-items.ts";

/** A message that a search has found, and the visit that it was opened by. */
export interface FoundMessage {
  sortNumber: number;
  visit: string;
}

/**
 * Scrolls to a message that a search has found, once for each visit; older messages are loaded until it is there.
 *
 * @param onOlder loads older messages, if there are any and none are on their way
 */
export function useFoundMessage({
  found,
  items,
  scroller,
  scrollTo,
  onOlder,
}: {
  found: FoundMessage | undefined;
  items: readonly ThreadItem[];
  scroller: RefObject<HTMLElement | null>;
  scrollTo(index: number): void;
  onOlder(): void;
}): void {
  const shown = useRef<string>(undefined);
  useEffect(() => {
    if (!found || found.visit === shown.current) return;
    const index = items.findIndex((item) => item.kind === "message" && item.message.sort_number === found.sortNumber);
    if (index < 0) return onOlder();
    shown.current = found.visit;
    scrollTo(index);
    showMark(scroller.current, index);
  });
}

/** A message may be taller than the thread: once the scrolling has come to rest, its first mark is scrolled to. */
function showMark(scroller: HTMLElement | null, index: number): void {
  if (!scroller) return;
  let before = -1;
  let frames = 0;
  const look = () => {
    frames += 1;
    const isAtRest = scroller.scrollTop === before;
    before = scroller.scrollTop;
    const mark = scroller.querySelector(`[data-index="${index}"] mark`);
    if ((!isAtRest || !mark) && frames < 60) return void requestAnimationFrame(look);
    if (!mark) return;
    const [place, all] = [mark.getBoundingClientRect(), scroller.getBoundingClientRect()];
    if (place.top < all.top || place.bottom > all.bottom) mark.scrollIntoView({ block: "center" });
  };
  requestAnimationFrame(look);
}
