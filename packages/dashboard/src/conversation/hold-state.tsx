import { useEffect, useState } from "react";
import { secondsOf } from "../texts/dates.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { spokenKeys } from "../ui/keys.tsx";
import type { Hold, WaitingMessage } from "./thread-items.ts";

/** How long a reply can still be undone, and the button that does it. The seconds are not read out. */
export function HoldState({ hold, online, onUndo }: { hold: Hold; online: boolean; onUndo(): void }) {
  const left = useSecondsUntil(hold.until);
  if (hold.isUndoing) return <span>{t("undoSend.undoing")}</span>;
  const state = online ? t("sending") : t("sendsLater");
  return (
    <>
      <span className="numbers">{left > 0 ? t("undoSend.in", { time: secondsOf(left) }) : state}</span>
      <Button size="compact" onClick={onUndo} aria-keyshortcuts="Control+Z Meta+Z">
        {t("undo")}
      </Button>
    </>
  );
}

/** Tells screen readers once that a reply is held. */
export function HoldAnnouncer({ waiting }: { waiting: readonly WaitingMessage[] }) {
  const held = waiting.findLast(({ hold }) => hold && !hold.isUndoing);
  return (
    <div aria-live="polite" className="sr-only">
      {held?.hold && <Announcement key={held.client_id} until={held.hold.until} />}
    </div>
  );
}

function Announcement({ until }: { until: number }) {
  const [time] = useState(() => secondsOf(secondsUntil(until)));
  return <p>{t("undoSend.announced", { time, keys: spokenKeys("$mod+Z") })}</p>;
}

const secondsUntil = (time: number) => Math.max(0, Math.ceil((time - Date.now()) / 1_000));

function useSecondsUntil(time: number): number {
  const [left, setLeft] = useState(() => secondsUntil(time));
  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(() => setLeft(secondsUntil(time)), time - Date.now() - (left - 1) * 1_000);
    return () => clearTimeout(timer);
  }, [time, left]);
  return left;
}
