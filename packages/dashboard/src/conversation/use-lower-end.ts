import { type RefObject, useEffect } from "react";

/** When a thread changes its height, its lower end stays in place: a growing composer does not hide the newest message. */
export function useLowerEnd(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const thread = scroller.current;
    if (!thread) return;
    let { clientHeight, scrollTop } = thread;
    const remember = () => {
      scrollTop = thread.scrollTop;
    };
    const observer = new ResizeObserver(() => {
      const lost = clientHeight - thread.clientHeight;
      clientHeight = thread.clientHeight;
      if (lost !== 0) thread.scrollTop = scrollTop + lost;
      remember();
    });
    observer.observe(thread);
    thread.addEventListener("scroll", remember, { passive: true });
    return () => {
      observer.disconnect();
      thread.removeEventListener("scroll", remember);
    };
  }, [scroller]);
}
