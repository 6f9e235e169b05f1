import type { InboxView } from "@frontdesk/core/domain/inbox";
import {
  AlarmClock,
  Archive,
  AtSign,
  CircleDashed,
  Hand,
  Hourglass,
  Inbox,
  Layers,
  type LucideIcon,
  Reply,
  Sparkles,
  UserRound,
} from "lucide-react";
import { t } from "../texts/texts.ts";

export const viewIcons: Record<InboxView, LucideIcon> = {
  open: Inbox,
  waiting: Hourglass,
  answered: Reply,
  mine: UserRound,
  unassigned: CircleDashed,
  mentions: AtSign,
  handoff: Hand,
  with_ai: Sparkles,
  snoozed: AlarmClock,
  resolved: Archive,
  all: Layers,
};

export const viewName = (view: InboxView): string => t(`view.${view}`);
/** The texts of an empty view: why it is empty, and what would appear. */
export const viewEmpty = (view: InboxView): string => t(`view.${view}Empty`);
