import type { InboxConversationDetails } from "@frontdesk/core/contract/inbox";
import { traitsOf } from "@frontdesk/core/domain/channel";
import { Link } from "@tanstack/react-router";
import { ChevronDown, Star, X } from "lucide-react";
import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { ContactExport } from "../contacts/contact-export.tsx";
import { type ShownSource, SourceNote } from "../contacts/detail-source.tsx";
import { contactName } from "../inbox/contact-name.ts";
import { lastLine } from "../inbox/last-line.ts";
import { useInboxState } from "../inbox/live-inbox.ts";
import { readLocal, writeLocal } from "../local-storage.ts";
import { useMe } from "../service/me.ts";
import { agentName } from "../texts/agent-name.ts";
import { ago, momentOf, shortWhen } from "../texts/dates.ts";
import { t } from "../texts/texts.ts";
import { Avatar } from "../ui/avatar.tsx";
import { TagBadge } from "../ui/badge.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { ValueToCopy } from "../ui/copy-button.tsx";
import { lazyPart } from "../ui/lazy-part.ts";
import type { ConversationActions } from "./conversation-actions.ts";
import { CustomDataEditor } from "./custom-data-editor.tsx";
import { Row } from "./detail-row.tsx";
import { PageLink } from "./page-link.tsx";
import { type PageVisit, useVisits } from "./visited-pages.ts";
import { VisitorFacts } from "./visitor-facts.tsx";

const SuggestedTags = lazyPart(() => import("./suggested-tags.tsx"), "SuggestedTags", "copilot");

const PAGES_SHOWN = 10;

/** The details of the contact and the conversation. */
export function DetailsPane({
  details,
  online,
  actions,
  onPick,
  onErase,
  onClose,
}: {
  details: InboxConversationDetails;
  online: boolean;
  actions: ConversationActions;
  onPick(what: "assign" | "tag"): void;
  /** Left out for agents who may not erase. */
  onErase?: (() => void) | undefined;
  onClose?: (() => void) | undefined;
}) {
  const { conversation, contact, earlier_conversations: earlier, detail_sources: sources } = details;
  const { copilot: hasModel } = useMe();
  const { attributes } = contact;
  const name = contactName(conversation.contact);
  // Pages and presence are what browsers report.
  const isInBrowser = traitsOf(conversation.channel).inBrowser;
  const scroller = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation starts at the top
  useEffect(() => void scroller.current?.scrollTo(0, 0), [conversation.id]);
  return (
    <div ref={scroller} className="contain-content h-full overflow-y-auto">
      <div className="flex items-start gap-3 p-4">
        <Avatar id={contact.id} name={name} size="large" online={online} />
        <div className="min-w-0 flex-1">
          <h3 dir="auto" className="aligned wrap-anywhere font-semibold">
            {name}
          </h3>
          {conversation.is_verified && <SourceNote source="identity" />}
          {isInBrowser && (
            <>
              <p className="text-meta text-subtle">
                {online ? t("state.online") : t("lastSeen", { when: ago(attributes.last_active_at) })}
              </p>
              <PageNow contactId={contact.id} />
            </>
          )}
          <Link
            to="/contacts/$contactId"
            params={{ contactId: contact.id }}
            className="inline-flex min-h-6 items-center text-accent-text text-meta hover:underline"
          >
            {t("openContact")}
          </Link>
        </div>
        {onClose && (
          <IconButton label={t("close")} onClick={onClose}>
            <X size={16} />
          </IconButton>
        )}
      </div>

      <Card name="conversation" title={t("details.conversation")}>
        <Row label={t("assignedTo")}>
          <span className="flex flex-wrap items-center gap-1">
            {conversation.assigned_agents.map((agent) => (
              <span key={agent.id} className="inline-flex items-center gap-1.5">
                <Avatar id={agent.id} name={agent.name} size="small" />
                <bdi>{agentName(agent)}</bdi>
                <RemoveButton
                  label={t("unassign", { name: agentName(agent) })}
                  onClick={() => actions.unassign(agent)}
                />
              </span>
            ))}
            <Button look="quiet" size="compact" className="first:-ms-2" onClick={() => onPick("assign")}>
              {t("assign")}
            </Button>
          </span>
        </Row>
        <Row label={t("tags")}>
          <span className="flex flex-wrap items-center gap-1">
            {conversation.tags.map((tag) => (
              <TagBadge key={tag.id} name={tag.name} color={tag.color}>
                <RemoveButton label={t("removeTag", { name: tag.name })} onClick={() => actions.untag(tag)} />
              </TagBadge>
            ))}
            <Button look="quiet" size="compact" className="first:-ms-2" onClick={() => onPick("tag")}>
              {t("addTag")}
            </Button>
            {hasModel && (
              <Suspense>
                <SuggestedTags key={conversation.id} conversation={conversation} />
              </Suspense>
            )}
          </span>
        </Row>
        <Row label={t("begun")}>{momentOf(conversation.created_at)}</Row>
        {conversation.rating && (
          <Row label={t("rating")}>
            <span className="inline-flex items-center gap-1">
              <Star size={12} className="fill-current text-warning" aria-hidden="true" />
              {conversation.rating.score} / 5
            </span>
            {conversation.rating.comment && (
              <span dir="auto" className="aligned block text-muted">
                {conversation.rating.comment}
              </span>
            )}
          </Row>
        )}
      </Card>

      <Card name="person" title={t("details.person")}>
        <Copied label={t("email")} value={attributes.email} source={sources.email} />
        <Copied label={t("phone")} value={attributes.phone} source={sources.phone} />
        <VisitorFacts contact={contact} countryGuessed={details.country_guessed} />
      </Card>

      <Card name="data" title={t("details.data")}>
        <CustomDataEditor
          key={contact.id}
          contactId={contact.id}
          data={details.custom_data}
          sources={sources.custom_data}
        />
      </Card>

      {isInBrowser && <Pages key={contact.id} contactId={contact.id} stored={attributes.page_visited} />}

      <Card
        name="earlier"
        title={t("details.earlier")}
        empty={earlier.length === 0 ? t("details.noEarlier") : undefined}
      >
        <ul className="flex flex-col">
          {earlier.map((one) => (
            <li key={one.id}>
              <Link
                to="/inbox/$conversationId"
                params={{ conversationId: one.id }}
                search={true}
                className="-mx-2 flex items-center gap-2 rounded-control px-2 py-1 hover:bg-hover"
              >
                <span dir="auto" className="aligned min-w-0 flex-1 truncate">
                  {lastLine(one) ?? t("noMessages")}
                </span>
                <span className="numbers shrink-0 text-meta text-subtle">{shortWhen(one.active_at)}</span>
              </Link>
            </li>
          ))}
        </ul>
      </Card>
      <div className="flex flex-wrap gap-1 border-line border-t px-2 py-3 empty:hidden">
        <ContactExport key={contact.id} id={contact.id} name={name} look="quiet" size="compact" />
        {onErase && (
          <Button look="quietDanger" size="compact" onClick={onErase}>
            {t("erase.contact")}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The visitor's current page. */
function PageNow({ contactId }: { contactId: string }) {
  const page = useInboxState(({ presence }) => presence.contacts.get(contactId)?.page ?? null);
  if (!page) return null;
  return (
    <p className="flex gap-1 text-meta text-subtle">
      <span className="shrink-0">{t("details.here")}</span>{" "}
      <PageLink page={page.url} title={page.title} className="min-w-0 truncate text-ink" />
    </p>
  );
}

/** The last pages, the newest first. */
function Pages({ contactId, stored }: { contactId: string; stored: readonly PageVisit[] }) {
  const visits = useVisits(contactId, stored);
  return (
    <Card name="pages" title={t("details.pages")} empty={visits.length === 0 ? t("details.noPages") : undefined}>
      <ol className="flex flex-col gap-2">
        {visits
          .toReversed()
          .slice(0, PAGES_SHOWN)
          .map(({ page, date }) => (
            <li key={`${date}${page}`} className="flex min-w-0 items-baseline gap-2">
              <PageLink page={page} className="min-w-0 flex-1 truncate py-0.5" />
              <time className="numbers shrink-0 text-meta text-subtle" dateTime={date}>
                {shortWhen(date)}
              </time>
            </li>
          ))}
      </ol>
    </Card>
  );
}

/** A section of the pane. Whether it is open is stored. */
export function Card({
  name,
  title,
  empty,
  children,
}: {
  name: string;
  title: string;
  /** Shown when it is empty. */
  empty?: string | undefined;
  children?: ReactNode;
}) {
  const [open, setOpen] = useState(readLocal<boolean>(`details:${name}`) ?? true);
  return (
    <details
      open={open}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
        writeLocal(`details:${name}`, currentTarget.open);
      }}
      className="group border-line border-t"
    >
      <summary className="-outline-offset-2 flex h-10 cursor-default list-none items-center px-4 font-medium hover:bg-hover [&::-webkit-details-marker]:hidden">
        <span className="flex-1">{title}</span>
        <ChevronDown size={14} className="text-subtle transition-transform group-open:rotate-180" aria-hidden="true" />
      </summary>
      <div className="px-4 pb-4">{empty ? <p className="text-muted">{empty}</p> : children}</div>
    </details>
  );
}

function Copied({ label, value, source }: { label: string; value: string | null; source: ShownSource }) {
  if (!value) return null;
  return (
    <Row label={label}>
      <ValueToCopy value={value} />
      <SourceNote source={source} />
    </Row>
  );
}

function RemoveButton({ label, onClick }: { label: string; onClick(): void }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className="inline-flex size-6 items-center justify-center rounded-tag text-subtle hover:bg-active hover:text-ink"
    >
      <X size={12} />
    </button>
  );
}
