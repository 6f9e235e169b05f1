import type { DeliveryState } from "@frontdesk/core/domain/delivery-state";
import { t } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";

const TONES = {
  waiting: "warning",
  sending: "accent",
  delivered: "success",
  failed: "danger",
  stopped: "neutral",
} as const satisfies Record<DeliveryState, string>;

export function DeliveryBadge({ state }: { state: DeliveryState }) {
  return <Badge tone={TONES[state]}>{t(`hooks.state.${state}`)}</Badge>;
}
