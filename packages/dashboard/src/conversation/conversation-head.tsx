import type { Contact } from "@frontdesk/core/contract";
import type { LiveConversation } from "@frontdesk/core/contract/live";
import { isSnoozed } from "@frontdesk/core/domain/inbox";
import { Link, useNavigate } from "@tanstack/react-router";
import {
  AlarmClock,
  AlarmClockOff,
  ArrowLeft,
  Ban,
  Bot,
  Check,
  CircleDot,
  Hand,
  MoreHorizontal,
  PanelRight,
  RotateCcw,
  Sparkles,
  Tag,
  Trash2,
  UserPlus,
} from "lucide-react";
import { isUnverified, type ShownSource, sourceText } from "../contacts/detail-source.tsx";
import { VerifiedMark } from "../contacts/verified-mark.tsx";
import { contactName } from "../inbox/contact-name.ts";
import { useAi } from "../inbox/live-inbox.ts";
import { loadPart } from "../service/load-part.ts";
import { useMe } from "../service/me.ts";
import { agentName } from "../texts/agent-name.ts";
import { momentOf } from "../texts/dates.ts";
import { lazily, locale, t } from "../texts/texts.ts";
import { Avatar } from "../ui/avatar.tsx";
import { TagBadge } from "../ui/badge.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../ui/menu.tsx";
import { problemText } from "../ui/problem-text.ts";
import { showProblem } from "../ui/toast.ts";
import { canReturn } from "./can-return.ts";
import type { ConversationActions } from "./conversation-actions.ts";
import { VisitorClock } from "./visitor-facts.tsx";

type Viewers = readonly { id: string; name: string | null; photo_url?: string | null }[];

const list = lazily(() => new Intl.ListFormat(locale));

/** The contact's name and the actions of the conversation. */
export function ConversationHead({
  conversation,
  contact: known,
  emailSource,
  online,
  viewers,
  detailsOpen,
  actions,
  onDetails,
  onPick,
  onErase,
}: {
  conversation: LiveConversation;
  /** Undefined until the details are loaded. */
  contact: Contact | undefined;
  emailSource: ShownSource | undefined;
  online: boolean;
  viewers: Viewers;
  detailsOpen: boolean;
  actions: ConversationActions;
  onDetails(): void;
  onPick(what: "assign" | "tag" | "snooze"): void;
  /** Left out for agents who may not erase. */
  onErase?: (() => void) | undefined;
}) {
  const { contact, assigned_agents, is_resolved, tags } = conversation;
  const name = contactName(contact);
  const [assigned] = assigned_agents;
  return (
    <header className="@container flex h-13 shrink-0 items-center gap-1 border-line border-b px-3">
      <Link
        to="/inbox"
        search={true}
        aria-label={t("backToList")}
        className="inline-flex size-8 items-center justify-center rounded-control text-muted hover:bg-hover md:hidden pointer-coarse:size-11"
      >
        <ArrowLeft size={16} className="rtl:-scale-x-100" />
      </Link>
      <span className="max-md:hidden">
        <Avatar id={contact.id} name={name} online={online} />
      </span>
      <div className="ms-2 min-w-0 flex-1">
        <div className="flex items-center gap-1.5">
          <h2 dir="auto" className="aligned min-w-0 truncate font-semibold">
            {name}
          </h2>
          {conversation.is_verified && <VerifiedMark />}
        </div>
        <p className="flex items-center gap-1.5 text-meta text-subtle">
          <span className="min-w-0 truncate">
            <State conversation={conversation} online={online} />
            {isUnverified(emailSource) && <span title={sourceText(emailSource)}> · {t("verified.unknown")}</span>}
          </span>
          {/* The details show them as well. */}
          {!detailsOpen && (
            <span className="flex min-w-0 flex-1 gap-1 overflow-hidden max-md:hidden">
              {known && <VisitorClock contact={known} />}
              {tags.map((tag) => (
                <TagBadge key={tag.id} name={tag.name} color={tag.color} small />
              ))}
            </span>
          )}
        </p>
      </div>
      {viewers.length > 0 && (
        <span
          role="img"
          aria-label={viewingText(viewers)}
          title={viewingText(viewers)}
          className="-space-x-1 me-2 flex rtl:space-x-reverse"
        >
          {viewers.slice(0, 3).map((agent) => (
            <Avatar key={agent.id} id={agent.id} name={agent.name} photo={agent.photo_url} size="medium" />
          ))}
        </span>
      )}
      <Button
        look="quiet"
        size="compact"
        onClick={() => onPick("assign")}
        className="@max-sm:hidden max-w-40"
        aria-keyshortcuts="A"
      >
        <UserPlus size={14} aria-hidden="true" />
        <span dir="auto" className="truncate">
          {assigned ? agentName(assigned) : t("assign")}
        </span>
        {assigned_agents.length > 1 && <bdi>+{assigned_agents.length - 1}</bdi>}
      </Button>
      <IconButton label={t("tag")} keys="T" onClick={() => onPick("tag")} className="@max-xl:hidden">
        <Tag size={16} />
      </IconButton>
      {!is_resolved && (
        <IconButton label={t("snooze")} keys="Z" onClick={() => onPick("snooze")} className="@max-xl:hidden">
          <AlarmClock size={16} />
        </IconButton>
      )}
      <MoreMenu conversation={conversation} actions={actions} onPick={onPick} onErase={onErase} />
      <IconButton label={t("details")} keys="]" aria-pressed={detailsOpen} onClick={onDetails}>
        <PanelRight size={16} className="rtl:-scale-x-100" />
      </IconButton>
      {is_resolved ? (
        <Button size="compact" onClick={actions.reopen} aria-keyshortcuts="E">
          <RotateCcw size={14} aria-hidden="true" />
          <span className="max-md:sr-only">{t("reopen")}</span>
        </Button>
      ) : (
        <Button size="compact" onClick={actions.resolve} aria-keyshortcuts="E">
          <Check size={14} aria-hidden="true" />
          <span className="max-md:sr-only">{t("resolve")}</span>
        </Button>
      )}
    </header>
  );
}

function viewingText(viewers: Viewers): string {
  const names = list().format(viewers.map(({ name }) => name ?? ""));
  return t("viewing", { names, count: viewers.length });
}

function State({ conversation, online }: { conversation: LiveConversation; online: boolean }) {
  if (conversation.is_resolved) return t("state.resolved");
  if (conversation.snoozed_until) return t("state.snoozedUntil", { when: momentOf(conversation.snoozed_until) });
  if (conversation.snoozed_until_reply) return t("state.snoozedUntilReply");
  if (online) return t("state.online");
  return conversation.contact.email ? <bdi>{conversation.contact.email}</bdi> : t("state.open");
}

function MoreMenu({
  conversation,
  actions,
  onPick,
  onErase,
}: {
  conversation: LiveConversation;
  actions: ConversationActions;
  onPick(what: "assign" | "tag" | "snooze"): void;
  onErase: (() => void) | undefined;
}) {
  const { is_resolved, is_blocked, speaker } = conversation;
  const ai = useAi();
  const { copilot } = useMe();
  const navigate = useNavigate();
  const suggest = () =>
    void loadPart(() => import("./suggest-article.ts")).then(
      ({ suggestArticle }) =>
        suggestArticle(conversation.id, (articleId) =>
          navigate({ to: "/knowledge/$articleId", params: { articleId } }),
        ),
      (error) => showProblem(problemText(error)),
    );
  return (
    <Menu
      trigger={
        <IconButton label={t("more")}>
          <MoreHorizontal size={16} />
        </IconButton>
      }
    >
      <MenuItem icon={<UserPlus size={14} />} keys="A" onSelect={() => onPick("assign")}>
        {t("assign")}
      </MenuItem>
      <MenuItem icon={<UserPlus size={14} />} keys="I" onSelect={actions.assignToMe}>
        {t("assignToMe")}
      </MenuItem>
      <MenuItem icon={<Tag size={14} />} keys="T" onSelect={() => onPick("tag")}>
        {t("tag")}
      </MenuItem>
      {!is_resolved && (
        <MenuItem icon={<AlarmClock size={14} />} keys="Z" onSelect={() => onPick("snooze")}>
          {t("snooze")}
        </MenuItem>
      )}
      {isSnoozed(conversation) && (
        <MenuItem icon={<AlarmClockOff size={14} />} onSelect={actions.unsnooze}>
          {t("unsnooze")}
        </MenuItem>
      )}
      <MenuItem icon={<CircleDot size={14} />} keys="U" onSelect={actions.markUnread}>
        {t("markUnread")}
      </MenuItem>
      {!is_resolved && speaker !== "human" && (
        <MenuItem icon={<Hand size={14} />} onSelect={actions.takeOver}>
          {t("handoff.take")}
        </MenuItem>
      )}
      {is_resolved && copilot && (
        <MenuItem icon={<Sparkles size={14} />} onSelect={suggest}>
          {t("suggestArticle")}
        </MenuItem>
      )}
      {canReturn(conversation, ai) && (
        <MenuItem icon={<Bot size={14} />} onSelect={actions.returnToAssistant}>
          {t("handoff.return")}
        </MenuItem>
      )}
      <MenuSeparator />
      {is_blocked ? (
        <MenuItem icon={<Ban size={14} />} onSelect={actions.unblock}>
          {t("unblock")}
        </MenuItem>
      ) : (
        <MenuItem icon={<Ban size={14} />} danger onSelect={actions.block}>
          {t("block")}
        </MenuItem>
      )}
      {onErase && (
        <MenuItem icon={<Trash2 size={14} />} danger onSelect={onErase}>
          {t("erase.conversation")}
        </MenuItem>
      )}
    </Menu>
  );
}
