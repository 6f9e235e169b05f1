/** The parts of the settings: where they stand, who may see them, and what shows them. Each is loaded when it is opened. */
import type { OperationName } from "@frontdesk/core/domain/policy";
import { AppWindow, type LucideIcon, MessageSquareReply, UserRound, Users } from "lucide-react";
import { type ComponentType, lazy } from "react";
import { t } from "../texts/texts.ts";

export interface SettingsPart {
  name: string;
  label: string;
  group: string;
  icon: LucideIcon;
  /** The operation without which there is nothing to see. */
  needs?: OperationName;
  Screen: ComponentType;
}

export const settingsParts: readonly SettingsPart[] = [
  {
    name: "profile",
    label: t("settings.profile"),
    group: t("settings.own"),
    icon: UserRound,
    Screen: lazy(() => import("./profile-part.tsx").then(({ ProfilePart }) => ({ default: ProfilePart }))),
  },
  {
    name: "canned-replies",
    label: t("settings.canned"),
    group: t("settings.own"),
    icon: MessageSquareReply,
    Screen: lazy(() =>
      import("./canned-replies-part.tsx").then(({ CannedRepliesPart }) => ({ default: CannedRepliesPart })),
    ),
  },
  {
    name: "widgets",
    label: t("settings.widgets"),
    group: t("settings.team"),
    icon: AppWindow,
    needs: "update-widget",
    Screen: lazy(() => import("./widgets-part.tsx").then(({ WidgetsPart }) => ({ default: WidgetsPart }))),
  },
  {
    name: "team",
    label: t("settings.people"),
    group: t("settings.team"),
    icon: Users,
    needs: "invite-agents",
    Screen: lazy(() => import("./team-part.tsx").then(({ TeamPart }) => ({ default: TeamPart }))),
  },
];
