import type { TextKey } from "../texts/texts.ts";

interface Shortcut {
  label: TextKey;
  /** As in `shell/commands.ts`. */
  keys: string;
}

/** The shortcuts of an open conversation, in the order in which they are listed. */
export const conversationKeys = {
  reply: { label: "keys.reply", keys: "R" },
  note: { label: "keys.note", keys: "N" },
  forward: { label: "forward.email", keys: "F" },
  resolve: { label: "resolve", keys: "E" },
  "resolve-next": { label: "keys.resolveNext", keys: "Shift+E" },
  assign: { label: "assign", keys: "A" },
  "assign-me": { label: "assignToMe", keys: "I" },
  tag: { label: "tag", keys: "T" },
  snooze: { label: "snooze", keys: "Z" },
  unread: { label: "markUnread", keys: "U" },
  details: { label: "keys.details", keys: "]" },
  leave: { label: "backToList", keys: "Escape" },
} as const satisfies Record<string, Shortcut>;
