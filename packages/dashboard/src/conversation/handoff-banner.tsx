import type { LiveConversation, TimelineEntry } from "@frontdesk/core/contract/live";
import { Hand, Sparkles } from "lucide-react";
import { useAi } from "../inbox/live-inbox.ts";
import { ago } from "../texts/dates.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { canReturn } from "./can-return.ts";
import type { ConversationActions } from "./conversation-actions.ts";
import { handoffReason } from "./handoff-reason.ts";
import { useNameOfAi } from "./name-of-ai.ts";

interface Shown {
  conversation: LiveConversation;
  timeline: readonly TimelineEntry[];
  actions: ConversationActions;
}

/** The built-in AI answers; or it, or another assistant, asks for a human: shown until an agent takes over, or returns it. */
export function HandoffBanner(props: Shown) {
  const { handoff_requested_at, is_resolved, speaker } = props.conversation;
  if (is_resolved) return null;
  if (speaker === "ai") return <AiAnswers actions={props.actions} />;
  // A handoff of the built-in AI has a reason, and is over with the first word of a human.
  const { reason } = lastHandoffIn(props.timeline)?.values ?? {};
  if (speaker === "waiting") return <AiHandedOver {...props} />;
  return handoff_requested_at && reason === undefined ? (
    <AssistantAsks {...props} since={handoff_requested_at} />
  ) : null;
}

const lastHandoffIn = (timeline: readonly TimelineEntry[]): TimelineEntry | undefined =>
  timeline.findLast(({ name }) => name === "handoff.requested");

function AiAnswers({ actions }: Pick<Shown, "actions">) {
  const name = useNameOfAi();
  return (
    <div
      className="flex flex-wrap items-center gap-2 border-line border-b bg-accent-soft px-4 py-2 text-accent-text"
      role="status"
    >
      <Sparkles size={16} aria-hidden="true" />
      <span className="min-w-0 flex-1">{t("ai.banner", { name })}</span>
      <Button size="compact" onClick={actions.takeOver} className="text-ink">
        {t("handoff.take")}
      </Button>
    </div>
  );
}

function AiHandedOver({ conversation, timeline, actions }: Shown) {
  const ai = useAi();
  const name = useNameOfAi();
  const why = handoffReason(lastHandoffIn(timeline)?.values.reason);
  return (
    <div className={NOTICE} role="status">
      <Hand size={16} aria-hidden="true" />
      <span className="min-w-0 flex-1">
        {why ? t("ai.handedOver", { name, why }) : t("ai.handedOverPlain", { name })}
      </span>
      <Button size="compact" onClick={actions.takeOver} className="text-ink">
        {t("handoff.take")}
      </Button>
      {canReturn(conversation, ai) && <Return actions={actions} />}
    </div>
  );
}

function AssistantAsks({ since, actions }: Pick<Shown, "actions"> & { since: string }) {
  return (
    <div className={NOTICE} role="status">
      <Hand size={16} aria-hidden="true" />
      <span className="min-w-0 flex-1">{t("handoff.banner", { when: ago(since) })}</span>
      <Button size="compact" onClick={actions.assignToMe} className="text-ink">
        {t("handoff.take")}
      </Button>
      <Return actions={actions} />
    </div>
  );
}

const NOTICE = "flex flex-wrap items-center gap-2 border-note-line border-b bg-note px-4 py-2 text-note-ink";

function Return({ actions }: Pick<Shown, "actions">) {
  return (
    <Button size="compact" look="quiet" onClick={actions.returnToAssistant} className="text-note-ink">
      {t("handoff.return")}
    </Button>
  );
}
