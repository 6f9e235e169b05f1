import type { Typist } from "@frontdesk/client/agent";
import type { LiveConversation } from "@frontdesk/core/contract/live";
import { traitsOf } from "@frontdesk/core/domain/channel";
import { Link } from "@tanstack/react-router";
import { AlarmClock, AtSign, Hand, Lock, Mail, MessageCircle, PenLine, Reply, Sparkles } from "lucide-react";
import { memo, type ReactNode } from "react";
import { VerifiedMark } from "../contacts/verified-mark.tsx";
import { focusReplyOf } from "../conversation/focus-reply.ts";
import { useNameOfAi } from "../conversation/name-of-ai.ts";
import { shortWhen } from "../texts/dates.ts";
import { t } from "../texts/texts.ts";
import { Avatar } from "../ui/avatar.tsx";
import { TagBadge } from "../ui/badge.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { cx } from "../ui/class-names.ts";
import { Assignees } from "./assignees.tsx";
import { channelName } from "./channel-names.ts";
import { contactName } from "./contact-name.ts";
import { type Density, ROW_HEIGHTS } from "./density.ts";
import { lastLine, shownMessage } from "./last-line.ts";
import { usePeople } from "./live-inbox.ts";
import { hasRowState, RowState } from "./row-state.tsx";
import { writerName } from "./writer-name.ts";

const TAGS_SHOWN = 2;
const TEAMMATES_SHOWN = 3;

type Face = { id: string; name: string | null; photo_url?: string | null; by_ai?: boolean };

/** A conversation in a list: contact, time, last message, and marks. */
export const ConversationRow = memo(function ConversationRow({
  conversation,
  active,
  selected,
  choosing,
  unseen,
  mentioned,
  draft,
  viewers,
  typists,
  online,
  density,
  place,
  of,
  tabStop,
  onChoose,
}: {
  conversation: LiveConversation;
  /** Whether it is the open one. */
  active: boolean;
  selected: boolean;
  /** Some row is selected: then every row shows its checkbox. */
  choosing: boolean;
  /** The agent has not seen its latest message, whoever else has. */
  unseen: boolean;
  /** A note mentions the agent, who has not read it. */
  mentioned: boolean;
  draft: boolean;
  viewers: readonly Face[];
  /** Who is typing; null is the visitor. */
  typists: readonly Typist[];
  online: boolean;
  density: Density;
  place: number;
  of: number;
  /** Whether Tab leads to it: one row of the list at a time. */
  tabStop: boolean;
  onChoose(id: string, range: boolean): void;
}) {
  const { id, contact, tags } = conversation;
  // What the AI is to answer is no news to anyone.
  const unread = conversation.speaker === "ai" ? 0 : conversation.unread_messages;
  const name = contactName(contact);
  const isNew = unseen || mentioned || unread > 0;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a virtualized list sets its positions itself
    <div
      role="listitem"
      data-conversation={id}
      aria-setsize={of}
      aria-posinset={place}
      style={{ height: ROW_HEIGHTS[density] }}
      className={cx(
        "group relative flex items-center gap-3 px-3",
        active || selected ? "bg-active" : "hover:bg-hover",
        active && "before:absolute before:inset-y-0 before:start-0 before:w-0.5 before:bg-accent",
      )}
    >
      <span className="relative z-10 flex size-8 shrink-0 items-center justify-center">
        <span className={cx(choosing ? "hidden" : "group-focus-within:hidden group-hover:hidden")}>
          <Avatar id={contact.id} name={name} online={online} />
        </span>
        <span className={cx(!choosing && "hidden group-focus-within:inline-flex group-hover:inline-flex")}>
          <Checkbox
            label={t("choose", { name })}
            checked={selected}
            tabbable={false}
            onChange={(_, event) => onChoose(id, "shiftKey" in event && event.shiftKey === true)}
          />
        </span>
      </span>
      <Link
        to="/inbox/$conversationId"
        params={{ conversationId: id }}
        search={true}
        aria-current={active ? "true" : undefined}
        tabIndex={tabStop ? 0 : -1}
        // By Enter, not by a pointer.
        onClick={({ detail, ctrlKey, metaKey, shiftKey }) => {
          if (detail === 0 && !ctrlKey && !metaKey && !shiftKey) focusReplyOf(id);
        }}
        // The ring is around the whole row: around the text it would cross the time and the badge.
        className="after:-outline-offset-2 min-w-0 flex-1 self-stretch content-center after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-ring"
      >
        <span className="flex items-baseline gap-2">
          <span dir="auto" className={cx("aligned min-w-0 truncate", isNew ? "font-semibold" : "font-medium")}>
            {name}
          </span>
          <ChannelMark conversation={conversation} />
          {density === "compact" && <TagDots tags={tags} />}
          <span className="flex-1" />
          <Marks conversation={conversation} draft={draft} mentioned={mentioned} />
          {density === "compact" && <RowState conversation={conversation} short />}
          <Assignees agents={conversation.assigned_agents} />
          <ActiveAt time={conversation.active_at} />
        </span>
        <span className="flex items-center gap-2">
          <span dir="auto" className={cx("aligned min-w-0 flex-1 truncate", isNew ? "text-ink" : "text-muted")}>
            {typists.includes(null) ? (
              <span className="text-accent-text">{t("isTyping")}</span>
            ) : (
              <>
                <Subject of={conversation} />
                <Preview conversation={conversation} />
              </>
            )}
          </span>
          <Teammates viewers={viewers} typists={typists} />
          <UnreadMark unread={unread} unseen={unseen} />
        </span>
        {density === "comfortable" && (tags.length > 0 || hasRowState(conversation)) && (
          <span className="flex items-center gap-1 overflow-hidden pt-0.5">
            <RowState conversation={conversation} />
            <Tags tags={tags} />
          </span>
        )}
      </Link>
    </div>
  );
});

function Tags({ tags }: Pick<LiveConversation, "tags">) {
  return (
    <>
      {tags.slice(0, TAGS_SHOWN).map((tag) => (
        <TagBadge key={tag.id} name={tag.name} color={tag.color} small />
      ))}
      {tags.length > TAGS_SHOWN && <bdi className="text-label text-subtle">+{tags.length - TAGS_SHOWN}</bdi>}
    </>
  );
}

function ActiveAt({ time }: { time: string }) {
  return (
    <time className="numbers shrink-0 text-meta text-subtle" dateTime={time}>
      {shortWhen(time)}
    </time>
  );
}

/** Of a conversation by email, before its newest message. */
function Subject({ of: { subject } }: { of: LiveConversation }) {
  if (!subject) return null;
  return (
    <>
      <span className="text-ink">{subject}</span>
      {" · "}
    </>
  );
}

/** The team's unread messages; a dot for what only this agent has not seen. */
function UnreadMark({ unread, unseen }: { unread: number; unseen: boolean }) {
  if (unread > 0) {
    return (
      <span className="numbers flex h-4 min-w-4 shrink-0 items-center justify-center rounded-full bg-accent px-1 font-semibold text-label text-on-accent">
        <span aria-hidden="true">{unread > 99 ? "99+" : unread}</span>
        {/* In one piece: between two, screen readers pause. */}
        <span className="sr-only">{`${unread} ${t("unread")}`}</span>
      </span>
    );
  }
  if (!unseen) return null;
  const label = t("row.unseen");
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      className="relative z-10 mx-1 size-2 shrink-0 rounded-full bg-accent"
    />
  );
}

/** The channel, where it is not the website: most conversations come from there. */
function ChannelMark({ conversation: { channel, channel_id } }: { conversation: LiveConversation }) {
  const account = usePeople()?.channels.find(({ id }) => id === channel_id);
  if (traitsOf(channel).byWidget) return null;
  const kind = channelName(channel);
  const label = account ? `${kind}: ${account.name ?? account.address}` : kind;
  const Icon = channel === "email" ? Mail : MessageCircle;
  return (
    <span role="img" aria-label={label} title={label} className="relative z-10 shrink-0 self-center text-subtle">
      <Icon size={12} />
    </span>
  );
}

/** Tags as dots beside the name, where there is no room for theirs: the end of the row is for what is unread. */
function TagDots({ tags }: { tags: LiveConversation["tags"] }) {
  if (tags.length === 0) return null;
  const names = tags.map(({ name }) => name).join(", ");
  return (
    <span role="img" aria-label={names} title={names} className="relative z-10 flex shrink-0 gap-0.5 self-center">
      {tags.slice(0, 2 * TAGS_SHOWN).map(({ id, color }) => (
        <span key={id} className="size-2 rounded-full bg-control" style={color ? { backgroundColor: color } : {}} />
      ))}
    </span>
  );
}

/** The teammates here: those who type a reply first, then the viewers. */
function Teammates({ viewers, typists }: { viewers: readonly Face[]; typists: readonly Typist[] }) {
  const writers: readonly Face[] = typists.filter((typist) => typist !== null);
  const others = viewers.filter(({ id }) => !writers.some((writer) => writer.id === id));
  return [...writers, ...others].slice(0, TEAMMATES_SHOWN).map((agent) => {
    const name = writerName(agent);
    const writes = writers.includes(agent);
    const says = writes ? t("agentWrites", { name }) : t("viewing", { names: name, count: 1 });
    const tone = agent.by_ai ? "text-accent-text" : "text-warning";
    return (
      <span
        key={agent.id}
        role="img"
        aria-label={says}
        title={says}
        className={cx("relative z-10 flex shrink-0 items-center gap-0.5", writes && tone)}
      >
        {writes && <PenLine size={12} />}
        {!agent.by_ai && <Avatar id={agent.id} name={agent.name} photo={agent.photo_url} size="small" />}
      </span>
    );
  });
}

/** The marks of a row: verified, unread mention, draft, answered by the AI, handed off, back from snooze. */
function Marks({
  conversation,
  draft,
  mentioned,
}: {
  conversation: LiveConversation;
  draft: boolean;
  mentioned: boolean;
}) {
  const { handoff_requested_at, is_verified, woken_at } = conversation;
  const nameOfAi = useNameOfAi();
  return (
    <>
      {is_verified && (
        <span className="self-center">
          <VerifiedMark size={12} />
        </span>
      )}
      {mentioned && (
        <Mark label={t("row.mentioned")} tone="text-accent-text">
          <AtSign size={12} />
        </Mark>
      )}
      {draft && (
        <Mark label={t("draft")} tone="text-danger">
          <PenLine size={12} />
        </Mark>
      )}
      {conversation.speaker === "ai" && (
        <Mark label={t("ai.answers", { name: nameOfAi })} tone="text-accent-text">
          <Sparkles size={12} />
        </Mark>
      )}
      {handoff_requested_at && (
        <Mark label={t("handoff.wanted")} tone="text-warning">
          <Hand size={12} />
        </Mark>
      )}
      {woken_at && (
        <Mark label={t("snooze.back")} tone="text-info">
          <AlarmClock size={12} />
        </Mark>
      )}
    </>
  );
}

function Mark({ label, tone, children }: { label: string; tone: string; children: ReactNode }) {
  return (
    <span role="img" aria-label={label} title={label} className={cx("relative z-10 shrink-0 self-center", tone)}>
      {children}
    </span>
  );
}

function Preview({ conversation }: { conversation: LiveConversation }) {
  const last = shownMessage(conversation);
  if (!last) return t("noMessages");
  const text = lastLine(conversation);
  if (last.type === "note") {
    return (
      <>
        {/* The space is also between the words that are read out. */}
        <Lock size={12} className="inline align-[-1px]" role="img" aria-label={t("note")} /> {text}
      </>
    );
  }
  if (last.from === "agent" && last.type === "message") {
    return (
      <>
        <Reply size={12} className="inline align-[-1px] rtl:-scale-x-100" role="img" aria-label={t("reply")} /> {text}
      </>
    );
  }
  return text;
}
