import type { LiveConversation } from "@frontdesk/core/contract/live";
import { isSnoozed } from "@frontdesk/core/domain/inbox";
import {
  AlarmClock,
  AlarmClockOff,
  ArrowLeft,
  Ban,
  BookOpen,
  Bot,
  Check,
  CheckCheck,
  CircleDot,
  Hand,
  Lock,
  type LucideIcon,
  PanelRight,
  Reply,
  RotateCcw,
  Tag,
  UserPlus,
} from "lucide-react";
import { type RefObject, useMemo } from "react";
import { useAi } from "../inbox/live-inbox.ts";
import { type Command, useCommands } from "../shell/commands.ts";
import { t } from "../texts/texts.ts";
import { canReturn } from "./can-return.ts";
import type { ConversationActions } from "./conversation-actions.ts";
import type { Composing } from "./conversation-composer.tsx";
import { conversationKeys } from "./conversation-keys.ts";
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
  erase,
}: {
  conversation: LiveConversation | undefined;
  actions: ConversationActions | undefined;
  composing: RefObject<Composing | null>;
  detailsOpen: boolean;
  showDetails(open: boolean): void;
  pick(kind: PickerKind): void;
  openNext(): void;
  leave(): void;
  /** Left out for agents who may not. */
  erase?: (() => void) | undefined;
}): void {
  const isResolved = conversation?.is_resolved ?? false;
  const ai = useAi();
  const commands = useMemo((): Command[] => {
    if (!actions) return [];
    const group = t("keys.conversation");
    const size = 14;
    const bound = (id: keyof typeof conversationKeys, Icon: LucideIcon, run: () => void): Command => {
      const { label, keys } = conversationKeys[id];
      return { id, label: t(label), group, keys, icon: <Icon size={size} />, run };
    };
    return [
      bound("reply", Reply, () => composing.current?.begin("reply")),
      bound("note", Lock, () => composing.current?.begin("note")),
      {
        id: "article",
        label: t("composer.article"),
        group,
        keys: "#",
        elsewhere: true,
        icon: <BookOpen size={size} />,
        run: () => composing.current?.insertArticle(),
      },
      isResolved
        ? { ...bound("resolve", RotateCcw, actions.reopen), label: t("reopen") }
        : bound("resolve", Check, actions.resolve),
      bound("resolve-next", CheckCheck, () => {
        if (!isResolved) actions.resolve();
        openNext();
      }),
      bound("assign", UserPlus, () => pick("assign")),
      bound("assign-me", UserPlus, actions.assignToMe),
      bound("tag", Tag, () => pick("tag")),
      bound("snooze", AlarmClock, () => pick("snooze")),
      bound("unread", CircleDot, actions.markUnread),
      bound("details", PanelRight, () => showDetails(!detailsOpen)),
      ...(conversation && isSnoozed(conversation)
        ? [{ id: "unsnooze", label: t("unsnooze"), group, icon: <AlarmClockOff size={size} />, run: actions.unsnooze }]
        : []),
      ...(conversation && !isResolved && conversation.speaker !== "human"
        ? [{ id: "take-over", label: t("handoff.take"), group, icon: <Hand size={size} />, run: actions.takeOver }]
        : []),
      ...(conversation && canReturn(conversation, ai)
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
      ...(erase ? [{ id: "erase", label: t("erase.conversation"), group, run: erase }] : []),
      bound("leave", ArrowLeft, leave),
    ];
  }, [conversation, actions, ai, isResolved, composing, detailsOpen, showDetails, pick, openNext, leave, erase]);
  useCommands(commands);
}
