import type { LiveConversation } from "@frontdesk/core/contract/live";
import { isSnoozed } from "@frontdesk/core/domain/inbox";
import { AlarmClock, Check, Clock, ClockAlert, type LucideIcon } from "lucide-react";
import { momentOf, shortDuration } from "../texts/dates.ts";
import { t } from "../texts/texts.ts";
import { cx } from "../ui/class-names.ts";
import { useMinutesSince } from "./minutes-since.ts";

/** From here on the time that a visitor waits stands out. */
const LONG_WAIT_MINUTES = 60;

type Stated = Pick<LiveConversation, "is_resolved" | "snoozed_until" | "snoozed_until_reply" | "waiting_since">;

/** Whether there is anything to say: an open conversation that waits for nothing has no state of its own. */
export const hasRowState = (conversation: Stated): boolean =>
  conversation.is_resolved || isSnoozed(conversation) || conversation.waiting_since !== null;

/** That a conversation is resolved or snoozed, or how long its visitor waits. `short`: as an icon, with the time alone. */
export function RowState({ conversation, short = false }: { conversation: Stated; short?: boolean }) {
  const { is_resolved, snoozed_until, waiting_since } = conversation;
  if (is_resolved) return <State icon={Check} text={t("state.resolved")} short={short} />;
  if (isSnoozed(conversation)) {
    const title = snoozed_until
      ? t("state.snoozedUntil", { when: momentOf(snoozed_until) })
      : t("state.snoozedUntilReply");
    return <State icon={AlarmClock} text={t("view.snoozed")} title={title} short={short} />;
  }
  return waiting_since === null ? null : <Waiting since={waiting_since} short={short} />;
}

function Waiting({ since, short }: { since: string; short: boolean }) {
  const minutes = useMinutesSince(since);
  const isLong = minutes >= LONG_WAIT_MINUTES;
  const time = shortDuration(minutes);
  return (
    <State
      icon={isLong ? ClockAlert : Clock}
      text={t("row.waiting", { time })}
      title={momentOf(since)}
      shown={time}
      strong={isLong}
      short={short}
    />
  );
}

/** @param shown what stands beside the icon when there is little room */
function State({
  icon: Icon,
  text,
  title = text,
  shown,
  strong = false,
  short,
}: {
  icon: LucideIcon;
  text: string;
  title?: string;
  shown?: string;
  strong?: boolean;
  short: boolean;
}) {
  return (
    <span
      title={title}
      className={cx(
        "numbers relative z-10 flex shrink-0 items-center gap-1 whitespace-nowrap text-label",
        short && "self-center",
        strong ? "font-semibold text-danger" : "text-muted",
      )}
    >
      <Icon size={12} aria-hidden="true" />
      {short ? (
        <>
          {shown && <span aria-hidden="true">{shown}</span>}
          <span className="sr-only">{text}</span>
        </>
      ) : (
        text
      )}
    </span>
  );
}
