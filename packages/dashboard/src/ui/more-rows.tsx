import { useEffect, useRef } from "react";
import { t } from "../texts/texts.ts";
import { Button } from "./button.tsx";

/** The end of a partly loaded list: loads more when it becomes visible, or is pressed. */
export function MoreRows({ shown, busy, onMore }: { shown: boolean; busy: boolean; onMore(): void }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current || !shown) return;
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && onMore());
    watch.observe(place.current);
    return () => watch.disconnect();
  }, [shown, onMore]);
  if (!shown) return null;
  return (
    <div ref={place} className="flex justify-center p-4">
      <Button look="quiet" size="compact" disabled={busy} onClick={onMore}>
        {busy ? t("loading") : t("showMore")}
      </Button>
    </div>
  );
}
