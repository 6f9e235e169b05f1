import { CloudOff } from "lucide-react";
import { useEffect, useState } from "react";
import { theInbox } from "../inbox/live-inbox.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";

/** A failed connection is certain; one that is being made takes some seconds on a slow network, also at the start. */
const SHOWN_AFTER_S = { live: Number.POSITIVE_INFINITY, connecting: 6, offline: 2 } as const;

/** Shown without a connection: since when, and that nothing is lost. */
export function OfflineBanner({ connection }: { connection: keyof typeof SHOWN_AFTER_S }) {
  const [seconds, setSeconds] = useState(0);
  const isLive = connection === "live";
  useEffect(() => {
    setSeconds(0);
    if (isLive) return;
    const since = Date.now();
    const timer = setInterval(() => setSeconds(Math.floor((Date.now() - since) / 1_000)), 1_000);
    return () => clearInterval(timer);
  }, [isLive]);
  if (seconds < SHOWN_AFTER_S[connection]) return null;
  return (
    <div
      role="status"
      className="flex items-center justify-center gap-3 border-note-line border-b bg-note px-4 py-1.5 text-note-ink"
    >
      <CloudOff size={14} className="shrink-0" aria-hidden="true" />
      <span>{t("offline.banner")}</span>
      <span aria-hidden="true" className="numbers shrink-0">
        {t("offline.seconds", { count: seconds })}
      </span>
      <Button size="compact" onClick={() => theInbox().wake()} className="text-ink">
        {t("tryAgain")}
      </Button>
    </div>
  );
}
