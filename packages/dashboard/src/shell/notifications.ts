/**
 * Desktop notifications and sounds for visitors' messages, by the agent's preferences. Of several tabs one notifies: the first
 * to get the lock of the message.
 */
import type { Preferences } from "@frontdesk/core/contract/inbox";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { contactName } from "../inbox/contact-name.ts";
import { type NewMessage, onNewMessage } from "../inbox/new-messages.ts";
import { useMe } from "../service/me.ts";
import { usePreferences } from "../service/preferences.ts";
import { t } from "../texts/texts.ts";
import { showNews } from "../ui/toast.ts";
import { chime } from "./chime.ts";

/** How long the lock of a message is held, so that a slower tab does not notify again. */
const NOTIFIED_MS = 5_000;

export function useNotifications(): void {
  const { agent } = useMe();
  const preferences = usePreferences();
  const navigate = useNavigate();
  useEffect(
    () =>
      onNewMessage((newMessage) => {
        if (!shouldNotify(newMessage, preferences, agent.id)) return;
        const { id, contact } = newMessage.conversation;
        const open = () => navigate({ to: "/inbox/$conversationId", params: { conversationId: id }, search: {} });
        const hasFocus = document.visibilityState === "visible" && document.hasFocus();
        // In the list a mention is easily missed, in another view it is not there.
        if (hasFocus && newMessage.namesMe && !location.pathname.endsWith(`/${id}`))
          showNews(t("mentioned.toast", { name: contactName(contact) }), { label: t("mentioned.open"), run: open });
        onlyOnce(newMessage.message.id, () => {
          if (preferences.sound !== false) chime();
          if (!hasFocus) showOnDesktop(newMessage, open);
        });
      }),
    [agent.id, preferences, navigate],
  );
}

/** Whether the agent wants a notification for it, and wants one now. */
export function shouldNotify(
  { message, conversation, namesMe, isHandoff }: NewMessage,
  { notify = "all", notify_mentions = true, quiet_from, quiet_to }: Preferences,
  me: string,
  now = new Date(),
): boolean {
  if (isQuiet(quiet_from, quiet_to, now)) return false;
  if (message.type === "note") return notify_mentions && namesMe;
  // What the AI answers calls no one; its handoff is what a visitor's message is elsewhere.
  const isForTeam = isHandoff || (message.from === "visitor" && conversation.speaker !== "ai");
  if (!isForTeam || notify === "none") return false;
  const isMine = conversation.assigned_agents.some(({ id }) => id === me);
  return notify === "all" || isMine;
}

/** Hours as `22:00`; the range may span midnight. */
function isQuiet(from: string | null | undefined, to: string | null | undefined, now: Date): boolean {
  if (!from || !to) return false;
  const time = `${String(now.getHours()).padStart(2, "0")}:${String(now.getMinutes()).padStart(2, "0")}`;
  return from <= to ? from <= time && time < to : time >= from || time < to;
}

function onlyOnce(id: string, act: () => void): void {
  if (!navigator.locks) {
    act();
    return;
  }
  void navigator.locks.request(`frontdesk:told:${id}`, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    act();
    await new Promise((resolve) => setTimeout(resolve, NOTIFIED_MS));
  });
}

function showOnDesktop({ message, conversation, isHandoff }: NewMessage, open: () => void): void {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const shown = new Notification(contactName(conversation.contact), {
    body: isHandoff ? t("ai.handedOverNews") : message.content || t("attachment"),
    tag: conversation.id,
    silent: true,
  });
  shown.onclick = () => {
    window.focus();
    open();
    shown.close();
  };
}
