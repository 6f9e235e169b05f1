/** What the `?` sheet lists: also the keys that need an open conversation, or the focus in the composer. */

import type { Preferences } from "@frontdesk/core/contract/inbox";
import { conversationKeys } from "../conversation/conversation-keys.ts";
import { t } from "../texts/texts.ts";

export interface ListedShortcut {
  id: string;
  label: string;
  keys: string;
}

export interface ShortcutGroup {
  title: string;
  /** What its keys need. */
  needs?: string;
  shortcuts: readonly ListedShortcut[];
}

interface Available {
  id: string;
  label: string;
  group: string;
  keys?: string;
  /** Bound by a component of its own. */
  elsewhere?: boolean;
}

/** @param commands the ones that are available now; of the others, the labels are those of an open conversation */
export function listedShortcuts(
  commands: readonly Available[],
  { send_with = "enter" }: Pick<Preferences, "send_with">,
): ShortcutGroup[] {
  const ofConversation: ListedShortcut[] = Object.entries(conversationKeys).map(([id, { label, keys }]) => ({
    id,
    label: commands.find((command) => command.id === id)?.label ?? t(label),
    keys,
  }));
  const bound = commands.flatMap(({ keys, elsewhere, ...rest }) =>
    keys && !elsewhere && !(rest.id in conversationKeys) ? [{ ...rest, keys }] : [],
  );
  const others = [...new Set(bound.map(({ group }) => group))].map((title) => ({
    title,
    shortcuts: bound.filter(({ group }) => group === title),
  }));
  const send = send_with === "enter" ? "Enter" : "$mod+Enter";
  return [
    ...others,
    { title: t("keys.conversation"), needs: t("keys.needsConversation"), shortcuts: ofConversation },
    {
      title: t("keys.writing"),
      needs: t("keys.needsField"),
      shortcuts: [
        { id: "send", label: t("composer.send"), keys: send },
        { id: "send-resolve", label: t("composer.sendAndResolve"), keys: "$mod+Shift+Enter" },
        { id: "line", label: t("keys.newLine"), keys: send_with === "enter" ? "Shift+Enter" : "Enter" },
        { id: "canned", label: t("settings.canned"), keys: "/" },
        { id: "article", label: t("composer.article"), keys: "#" },
        { id: "mention", label: t("keys.mention"), keys: "@" },
        { id: "emoji", label: t("composer.emoji"), keys: ":" },
        { id: "leave-field", label: t("keys.leaveField"), keys: "Escape" },
      ],
    },
  ];
}
