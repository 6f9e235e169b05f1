import type { Assistant } from "@frontdesk/core/contract/resources";
import { t } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";

const TONES = { active: "success", paused: "warning", revoked: "danger" } as const;

export function AssistantState({ assistant: { attributes } }: { assistant: Assistant }) {
  // Active but without tools: it has no access to any widget, or is that of an app whose maker may no longer have one.
  if (attributes.state === "active" && !attributes.is_live)
    return <Badge tone="warning">{t("assistants.state.blind")}</Badge>;
  return <Badge tone={TONES[attributes.state]}>{t(`assistants.state.${attributes.state}`)}</Badge>;
}
