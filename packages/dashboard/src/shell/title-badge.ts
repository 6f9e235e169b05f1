import { useEffect } from "react";
import { useCounts } from "../inbox/live-inbox.ts";
import { tabTitle, useShownTitle } from "./page-title.ts";

const SIZE = 64;

/** What is open and the number of unread conversations, in the tab's title; the number also on its icon. */
export function useTitleBadge(): void {
  const shown = useShownTitle();
  const unread = useCounts()?.open.unread ?? 0;
  useEffect(() => {
    document.title = tabTitle(shown, unread);
  }, [shown, unread]);
  const hasUnread = unread > 0;
  useEffect(() => {
    void showOnPicture(hasUnread);
    // The pages to sign in have neither.
    return () => void showOnPicture(false);
  }, [hasUnread]);
}

let plain: string | undefined;

/** A dot in the corner of the icon; the title has the number. */
async function showOnPicture(dot: boolean): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  if (!link) return;
  plain ??= link.href;
  if (!dot) {
    link.href = plain;
    return;
  }
  const picture = new Image(SIZE, SIZE);
  picture.src = plain;
  await picture.decode().catch(() => {});
  const canvas = document.createElement("canvas");
  canvas.width = SIZE;
  canvas.height = SIZE;
  const pen = canvas.getContext("2d");
  if (!pen) return;
  pen.drawImage(picture, 0, 0, SIZE, SIZE);
  pen.fillStyle = "#e5484d";
  pen.beginPath();
  pen.arc(SIZE - 14, 14, 14, 0, Math.PI * 2);
  pen.fill();
  link.href = canvas.toDataURL();
}
