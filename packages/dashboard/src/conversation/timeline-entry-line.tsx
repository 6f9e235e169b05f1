import type { TimelineEntry } from "@frontdesk/core/contract/live";
import { memo } from "react";
import { usePeople } from "../inbox/live-inbox.ts";
import { agentName } from "../texts/agent-name.ts";
import { momentOf, timeOf } from "../texts/dates.ts";
import { t } from "../texts/texts.ts";
import { handoffReason } from "./handoff-reason.ts";
import { WhyButton } from "./why-button.tsx";

/** One timeline entry, as a muted line. */
export const TimelineEntryLine = memo(function TimelineEntryLine({
  entry,
  visitor,
}: {
  entry: TimelineEntry;
  /** The visitor's display name. */
  visitor: string;
}) {
  const { at } = entry;
  const agents = usePeople()?.agents;
  const known = agents?.find(({ id }) => id === entry.by?.id);
  const { conversation_id, values } = entry;
  return (
    <p className="px-8 pt-2 text-center text-meta text-subtle">
      {wordsOf(known && entry.by ? { ...entry, by: { ...entry.by, name: agentName(known) } } : entry, visitor)}{" "}
      <time className="numbers" dateTime={at} title={momentOf(at)}>
        · {timeOf(at)}
      </time>
      {entry.name === "handoff.requested" && values.reason !== undefined && (
        <WhyButton run={{ conversationId: conversation_id, handedOverAt: at }} />
      )}
    </p>
  );
});

/** The name shown for the service itself. */
const SERVICE = "Frontdesk";

function wordsOf({ name, by, values }: TimelineEntry, visitor: string): string {
  const who = by === null ? SERVICE : by.kind === "visitor" ? visitor : by.name ? agentName(by) : SERVICE;
  const { tag = "", until, id = "" } = values;
  const agent = agentName({ name: values.agent });
  const isOwn = by !== null && by.id === values.agent_id;
  switch (name) {
    case "conversation.resolved":
      return t("happened.resolved", { who });
    case "conversation.reopened":
      return t("happened.reopened", { who });
    case "conversation.snoozed":
      return until ? t("happened.snoozed", { who, when: momentOf(until) }) : t("happened.snoozedUntilReply", { who });
    case "conversation.unsnoozed":
      return by === null ? t("snooze.back") : t("happened.unsnoozed", { who });
    case "handoff.requested": {
      const why = handoffReason(values.reason);
      // A visitor who presses the button has the AI hand over.
      if (why === undefined) return t("happened.handoff", { who });
      return by?.kind === "visitor" ? t("happened.handoff", { who }) : t("ai.handedOver", { name: who, why });
    }
    case "handoff.ended":
      return t("happened.handoffEnded", { who });
    case "speaker.changed":
      if (values.speaker === "ai") return by?.name ? t("happened.aiSpeaksBy", { who }) : t("happened.aiSpeaks");
      return by?.name ? t("happened.tookOver", { who }) : t("happened.humanSpeaks");
    case "agent.assigned":
      return isOwn ? t("happened.taken", { who }) : t("happened.assigned", { who, agent });
    case "agent.unassigned":
      return isOwn ? t("happened.givenUp", { who }) : t("happened.unassigned", { who, agent });
    case "tag.assigned":
      return t("happened.tagged", { who, tag });
    case "tag.removed":
      return t("happened.untagged", { who, tag });
    case "visitor.recognised":
      return t("happened.recognised", { who: values.who || t("someVisitor"), id });
    default:
      // An entry of a newer service.
      return name satisfies never;
  }
}
