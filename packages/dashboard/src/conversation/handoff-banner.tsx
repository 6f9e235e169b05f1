import type { LiveConversation } from "@frontdesk/core/contract/live";
import { Hand } from "lucide-react";
import { ago } from "../texts/dates.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import type { ConversationActions } from "./conversation-actions.ts";

/** An assistant has requested a handoff: shown until an agent takes over, or returns it. */
export function HandoffBanner({
  conversation,
  actions,
}: {
  conversation: LiveConversation;
  actions: ConversationActions;
}) {
  const since = conversation.handoff_requested_at;
  if (!since || conversation.is_resolved) return null;
  return (
    <div
      className="flex flex-wrap items-center gap-2 border-note-line border-b bg-note px-4 py-2 text-note-ink"
      role="status"
    >
      <Hand size={16} aria-hidden="true" />
      <span className="min-w-0 flex-1">{t("handoff.banner", { when: ago(since) })}</span>
      <Button size="compact" onClick={actions.assignToMe} className="text-ink">
        {t("handoff.take")}
      </Button>
      <Button size="compact" look="quiet" onClick={actions.returnToAssistant} className="text-note-ink">
        {t("handoff.return")}
      </Button>
    </div>
  );
}
