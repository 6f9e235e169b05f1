/** The parts of the settings: their order, who may see them, and their components. Each is loaded when it is opened. */
import type { OperationName } from "@frontdesk/core/domain/policy";
import {
  AppWindow,
  Bot,
  KeyRound,
  type LucideIcon,
  Mail,
  MessageSquareReply,
  Rows3,
  ScrollText,
  ShieldCheck,
  Tag,
  UserRound,
  Users,
  Webhook,
} from "lucide-react";
import { type ComponentType, lazy } from "react";
import { t } from "../texts/texts.ts";
import { loadTextsOf } from "../texts/texts-of-screens.ts";

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
    Screen: lazy(() => import("./profile/profile-part.tsx").then(({ ProfilePart }) => ({ default: ProfilePart }))),
  },
  {
    name: "canned-replies",
    label: t("settings.canned"),
    group: t("settings.own"),
    icon: MessageSquareReply,
    Screen: lazy(() =>
      import("./canned-replies/canned-replies-part.tsx").then(({ CannedRepliesPart }) => ({
        default: CannedRepliesPart,
      })),
    ),
  },
  {
    name: "widgets",
    label: t("settings.widgets"),
    group: t("settings.team"),
    icon: AppWindow,
    needs: "update-widget",
    Screen: lazy(() => import("./widgets/widgets-part.tsx").then(({ WidgetsPart }) => ({ default: WidgetsPart }))),
  },
  {
    name: "channels",
    label: t("settings.channels"),
    group: t("settings.team"),
    icon: Mail,
    needs: "create-channel",
    Screen: lazy(() =>
      Promise.all([import("./channels/channels-part.tsx"), loadTextsOf("channels")]).then(([{ ChannelsPart }]) => ({
        default: ChannelsPart,
      })),
    ),
    Item: lazy(() =>
      Promise.all([import("./channels/channel-part.tsx"), loadTextsOf("channels")]).then(([{ ChannelPart }]) => ({
        default: ChannelPart,
      })),
    ),
  },
  {
    name: "tags",
    label: t("tags"),
    group: t("settings.team"),
    icon: Tag,
    needs: "create-tag",
    Screen: lazy(() => import("./tags-and-fields/tags-part.tsx").then(({ TagsPart }) => ({ default: TagsPart }))),
  },
  {
    name: "custom-fields",
    label: t("fields.title"),
    group: t("settings.team"),
    icon: Rows3,
    needs: "create-custom-field",
    Screen: lazy(() =>
      import("./tags-and-fields/custom-fields-part.tsx").then(({ CustomFieldsPart }) => ({
        default: CustomFieldsPart,
      })),
    ),
  },
  {
    name: "team",
    label: t("settings.people"),
    group: t("settings.team"),
    icon: Users,
    needs: "invite-agents",
    Screen: lazy(() => import("./team/team-part.tsx").then(({ TeamPart }) => ({ default: TeamPart }))),
  },
  {
    name: "privacy",
    label: t("settings.privacy"),
    group: t("settings.team"),
    icon: ShieldCheck,
    needs: "update-retention",
    Screen: lazy(() =>
      Promise.all([import("./privacy/privacy-part.tsx"), loadTextsOf("privacy")]).then(([{ PrivacyPart }]) => ({
        default: PrivacyPart,
      })),
    ),
  },
  {
    name: "audit-log",
    label: t("settings.audit"),
    group: t("settings.team"),
    icon: ScrollText,
    needs: "list-audit-log",
    Screen: lazy(() =>
      Promise.all([import("./audit/audit-log-part.tsx"), loadTextsOf("audit")]).then(([{ AuditLogPart }]) => ({
        default: AuditLogPart,
      })),
    ),
  },
  {
    name: "api-keys",
    label: t("apiKeys.title"),
    group: t("settings.developer"),
    icon: KeyRound,
    needs: "list-api-keys",
    Screen: lazy(() => import("./keys/api-keys-part.tsx").then(({ ApiKeysPart }) => ({ default: ApiKeysPart }))),
  },
  {
    name: "webhooks",
    label: t("hooks.title"),
    group: t("settings.developer"),
    icon: Webhook,
    needs: "list-webhooks",
    Screen: lazy(() =>
      Promise.all([import("./webhooks/webhooks-part.tsx"), loadTextsOf("webhooks")]).then(([{ WebhooksPart }]) => ({
        default: WebhooksPart,
      })),
    ),
    Item: lazy(() =>
      Promise.all([import("./webhooks/webhook-part.tsx"), loadTextsOf("webhooks")]).then(([{ WebhookPart }]) => ({
        default: WebhookPart,
      })),
    ),
  },
  {
    name: "assistants",
    label: t("settings.assistants"),
    group: t("settings.developer"),
    icon: Bot,
    needs: "list-assistants",
    Screen: lazy(() =>
      Promise.all([import("./assistants/assistants-part.tsx"), loadTextsOf("assistants")]).then(
        ([{ AssistantsPart }]) => ({
          default: AssistantsPart,
        }),
      ),
    ),
    Item: lazy(() =>
      Promise.all([import("./assistants/assistant-part.tsx"), loadTextsOf("assistants")]).then(
        ([{ AssistantPart }]) => ({
          default: AssistantPart,
        }),
      ),
    ),
  },
];
