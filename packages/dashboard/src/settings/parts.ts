/** The parts of the settings: their order, who may see them, and their components. Each is loaded when it is opened. */
import type { OperationName } from "@frontdesk/core/domain/policy";
import {
  AppWindow,
  Bot,
  KeyRound,
  LockKeyhole,
  type LucideIcon,
  Mail,
  MessageSquareReply,
  Rows3,
  ScrollText,
  ShieldCheck,
  Sparkles,
  Tag,
  UserRound,
  Users,
  Webhook,
} from "lucide-react";
import type { ComponentType } from "react";
import { t } from "../texts/texts.ts";
import { lazyPart } from "../ui/lazy-part.ts";

export interface SettingsPart {
  name: string;
  label: string;
  group: string;
  icon: LucideIcon;
  /** The operation that an agent must be allowed to see the part. */
  needs?: OperationName;
  Screen: ComponentType;
  /** The component for one item of the part, with its own URL. */
  Item?: ComponentType<{ id: string }>;
}

export const settingsParts: readonly SettingsPart[] = [
  {
    name: "profile",
    label: t("settings.profile"),
    group: t("settings.own"),
    icon: UserRound,
    Screen: lazyPart(() => import("./profile/profile-part.tsx"), "ProfilePart"),
  },
  {
    name: "canned-replies",
    label: t("settings.canned"),
    group: t("settings.own"),
    icon: MessageSquareReply,
    Screen: lazyPart(() => import("./canned-replies/canned-replies-part.tsx"), "CannedRepliesPart"),
  },
  {
    name: "widgets",
    label: t("settings.widgets"),
    group: t("settings.team"),
    icon: AppWindow,
    needs: "update-widget",
    Screen: lazyPart(() => import("./widgets/widgets-part.tsx"), "WidgetsPart"),
  },
  {
    name: "channels",
    label: t("settings.channels"),
    group: t("settings.team"),
    icon: Mail,
    needs: "create-channel",
    Screen: lazyPart(() => import("./channels/channels-part.tsx"), "ChannelsPart", "channels", "delivery"),
    Item: lazyPart(() => import("./channels/channel-part.tsx"), "ChannelPart", "channels", "delivery"),
  },
  {
    name: "ai",
    label: t("settings.ai"),
    group: t("settings.team"),
    icon: Sparkles,
    needs: "update-ai",
    Screen: lazyPart(() => import("./ai/ai-part.tsx"), "AiPart", "ai", "runs"),
  },
  {
    name: "tags",
    label: t("tags"),
    group: t("settings.team"),
    icon: Tag,
    needs: "create-tag",
    Screen: lazyPart(() => import("./tags-and-fields/tags-part.tsx"), "TagsPart"),
  },
  {
    name: "custom-fields",
    label: t("fields.title"),
    group: t("settings.team"),
    icon: Rows3,
    needs: "create-custom-field",
    Screen: lazyPart(() => import("./tags-and-fields/custom-fields-part.tsx"), "CustomFieldsPart"),
  },
  {
    name: "team",
    label: t("settings.people"),
    group: t("settings.team"),
    icon: Users,
    needs: "invite-agents",
    Screen: lazyPart(() => import("./team/team-part.tsx"), "TeamPart", "security"),
  },
  {
    name: "security",
    label: t("settings.security"),
    group: t("settings.team"),
    icon: LockKeyhole,
    needs: "get-sign-in-rules",
    Screen: lazyPart(() => import("./security/security-part.tsx"), "SecurityPart", "security"),
  },
  {
    name: "privacy",
    label: t("settings.privacy"),
    group: t("settings.team"),
    icon: ShieldCheck,
    needs: "update-retention",
    Screen: lazyPart(() => import("./privacy/privacy-part.tsx"), "PrivacyPart", "privacy"),
  },
  {
    name: "audit-log",
    label: t("settings.audit"),
    group: t("settings.team"),
    icon: ScrollText,
    needs: "list-audit-log",
    Screen: lazyPart(() => import("./audit/audit-log-part.tsx"), "AuditLogPart", "audit"),
  },
  {
    name: "api-keys",
    label: t("apiKeys.title"),
    group: t("settings.developer"),
    icon: KeyRound,
    needs: "list-api-keys",
    Screen: lazyPart(() => import("./keys/api-keys-part.tsx"), "ApiKeysPart"),
  },
  {
    name: "webhooks",
    label: t("hooks.title"),
    group: t("settings.developer"),
    icon: Webhook,
    needs: "list-webhooks",
    Screen: lazyPart(() => import("./webhooks/webhooks-part.tsx"), "WebhooksPart", "webhooks"),
    Item: lazyPart(() => import("./webhooks/webhook-part.tsx"), "WebhookPart", "webhooks"),
  },
  {
    name: "assistants",
    label: t("settings.assistants"),
    group: t("settings.developer"),
    icon: Bot,
    needs: "list-assistants",
    Screen: lazyPart(() => import("./assistants/assistants-part.tsx"), "AssistantsPart", "assistants"),
    Item: lazyPart(() => import("./assistants/assistant-part.tsx"), "AssistantPart", "assistants"),
  },
];
