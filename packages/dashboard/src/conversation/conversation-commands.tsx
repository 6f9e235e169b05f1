import type { LiveConversation } from "@frontdesk/core/contract/live";
import { isSnoozed } from "@frontdesk/core/domain/inbox";
import {
  AlarmClock,
  AlarmClockOff,
  ArrowLeft,
  Ban,
  Bot,
  Check,
  CheckCheck,
  CircleDot,
  Lock,
  PanelRight,
  Reply,
  Tag,
  UserPlus,
} from "lucide-react";
import { type RefObject, useMemo } from "react";
import { type Command, useCommands } from "../shell/commands.ts";
import { t } from "../texts/texts.ts";
import type { ConversationActions } from "./conversation-actions.ts";
import type { Composing } from "./conversation-composer.tsx";
import type { PickerKind } from "./lazy-picker.tsx";

/** The commands for the open conversation, by keys and in the palette. */
export function useConversationCommands({
  conversation,
  actions,
  composing,
  detailsOpen,
  showDetails,
  pick,
  openNext,
  leave,
}: {
  conversation: LiveConversation | undefined;
  actions: ConversationActions | undefined;
  composing: RefObject<Composing | null>;
  detailsOpen: boolean;
  showDetails(open: boolean): void;
  pick(kind: PickerKind): void;
  openNext(): void;
  leave(): void;
}): void {
  const isResolved = conversation?.is_resolved ?? false;
  const commands = useMemo((): Command[] => {
    if (!actions) return [];
    const group = t("keys.conversation");
    const size = 14;
    return [
      {
        id: "reply",
        label: t("keys.reply"),
        group,
        keys: "R",
        icon: <Reply size={size} />,
        run: () => composing.current?.begin("reply"),
      },
      {
        id: "note",
        label: t("keys.note"),
        group,
        keys: "N",
        icon: <Lock size={size} />,
        run: () => composing.current?.begin("note"),
      },
      {
        id: "resolve",
        label: isResolved ? t("reopen") : t("resolve"),
        group,
        keys: "E",
        icon: <Check size={size} />,
        run: isResolved ? actions.reopen : actions.resolve,
      },
      {
        id: "resolve-next",
        label: t("keys.resolveNext"),
        group,
        keys: "Shift+E",
        icon: <CheckCheck size={size} />,
        run() {
          if (!isResolved) actions.resolve();
          openNext();
        },
      },
      { id: "assign", label: t("assign"), group, keys: "A", icon: <UserPlus size={size} />, run: () => pick("assign") },
      {
        id: "assign-me",
        label: t("assignToMe"),
        group,
        keys: "I",
        icon: <UserPlus size={size} />,
        run: actions.assignToMe,
      },
      { id: "tag", label: t("tag"), group, keys: "T", icon: <Tag size={size} />, run: () => pick("tag") },
      {
        id: "snooze",
        label: t("snooze"),
        group,
        keys: "Z",
        icon: <AlarmClock size={size} />,
        run: () => pick("snooze"),
      },
      {
        id: "unread",
        label: t("markUnread"),
        group,
        keys: "U",
        icon: <CircleDot size={size} />,
        run: actions.markUnread,
      },
      {
        id: "details",
        label: t("keys.details"),
        group,
        keys: "]",
        icon: <PanelRight size={size} />,
        run: () => showDetails(!detailsOpen),
      },
      ...(conversation && isSnoozed(conversation)
        ? [{ id: "unsnooze", label: t("unsnooze"), group, icon: <AlarmClockOff size={size} />, run: actions.unsnooze }]
        : []),
      ...(conversation?.handoff_requested_at
        ? [
            {
              id: "return",
              label: t("handoff.return"),
              group,
              icon: <Bot size={size} />,
              run: actions.returnToAssistant,
            },
          ]
        : []),
      conversation?.is_blocked
        ? { id: "unblock", label: t("unblock"), group, icon: <Ban size={size} />, run: actions.unblock }
        : { id: "block", label: t("block"), group, icon: <Ban size={size} />, run: actions.block },
      { id: "leave", label: t("backToList"), group, keys: "Escape", icon: <ArrowLeft size={size} />, run: leave },
    ];
  }, [conversation, actions, isResolved, composing, detailsOpen, showDetails, pick, openNext, leave]);
  useCommands(commands);
}
