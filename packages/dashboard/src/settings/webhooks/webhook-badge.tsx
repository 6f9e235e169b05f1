import { t } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";

export function WebhookBadge({ active }: { active: boolean }) {
  return active ? <Badge tone="success">{t("hooks.active")}</Badge> : <Badge>{t("hooks.paused")}</Badge>;
}
