import { traitsOf } from "@frontdesk/core/domain/channel";
import type { InboxQuery } from "@frontdesk/core/domain/inbox";
import { CatchBoundary, useNavigate } from "@tanstack/react-router";
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { contactName } from "../inbox/contact-name.ts";
import { useFound } from "../inbox/found.ts";
import {
  neighborOf,
  theInbox,
  useAiDraft,
  useConnection,
  useIsErased,
  useIsOnline,
  useOpenConversation,
  useViewers,
} from "../inbox/live-inbox.ts";
import { readLocal, writeLocal } from "../local-storage.ts";
import { useErasing } from "../privacy/use-erasing.tsx";
import { useMe } from "../service/me.ts";
import { ErrorScreen } from "../shell/error-screen.tsx";
import { usePageTitle } from "../shell/page-title.ts";
import { t } from "../texts/texts.ts";
import { lazyPart } from "../ui/lazy-part.ts";
import { PaneSeparator } from "../ui/panes.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { ToastPlace } from "../ui/toast-place.tsx";
import { whenIdle } from "../ui/when-idle.ts";
import { AiDraftItem } from "./ai-draft-item.tsx";
import { actionsOn } from "./conversation-actions.ts";
import { useConversationCommands } from "./conversation-commands.tsx";
import { type Composing, ConversationComposer } from "./conversation-composer.tsx";
import { ConversationHead } from "./conversation-head.tsx";
import { DetailsLayer } from "./details-layer.tsx";
import { useFocusReply } from "./focus-reply.ts";
import { HandoffBanner } from "./handoff-banner.tsx";
import { HoldAnnouncer } from "./hold-state.tsx";
import { DeliveryAnnouncer, MailHead } from "./lazy-mail.tsx";
import { ConversationPicker, type PickerKind } from "./lazy-picker.tsx";
import { MessageActions } from "./message-actions.tsx";
import { MessageItem } from "./message-item.tsx";
import { PictureLayer } from "./picture-layer.tsx";
import { RunLayer } from "./run-layer.tsx";
import { Thread } from "./thread.tsx";
import { ThreadAnnouncer } from "./thread-announcer.tsx";
import { threadItems, withDraft, withWaiting } from "./thread-items.ts";
import { withTimeline } from "./thread-timeline.ts";
import { TimelineEntryLine } from "./timeline-entry-line.tsx";
import { useUndoSend } from "./undo-send.ts";
import { useIsWide } from "./use-is-wide.ts";
import { useMarkRead } from "./use-mark-read.ts";
import { useWaiting } from "./use-waiting.ts";
import { WaitingItem } from "./waiting-item.tsx";

// The thread is shown before it.
const DetailsPane = lazyPart(() => import("./details-pane.tsx"), "DetailsPane");
const SameAddress = lazyPart(() => import("./same-address.tsx"), "SameAddress", "mail");
const NoConversation = lazyPart(() => import("./no-conversation.tsx"), "NoConversation");
const NO_ENTRIES: readonly never[] = [];
const DETAILS_WIDTH = { min: 260, max: 420, usual: 304 };

/**
 * A conversation: its thread, the composer, and the details of the contact beside them.
 *
 * When another conversation is opened, this component stays and renders the new content, a quarter faster than a new screen.
 * The state of a conversation is stored under its id, or has the id as its key, so that it cannot leak into the next one.
 */
export function ConversationScreen({ id, query }: { id: string; query: InboxQuery }) {
  const { conversation, thread, details } = useOpenConversation(id);
  const waiting = useWaiting(id);
  const undoSend = useUndoSend(id);
  const viewers = useViewers(id);
  const online = useIsOnline(conversation?.contact.id);
  const connection = useConnection();
  const found = useFound();
  const { agent } = useMe();
  const navigate = useNavigate({ from: "/inbox" });
  const isWide = useIsWide();
  const composing = useRef<Composing>(null);
  const [picked, setPicked] = useState<{ id: string; kind: PickerKind }>();
  const picking = picked?.id === id ? picked.kind : undefined;
  const pick = useCallback((kind: PickerKind | undefined) => setPicked(kind && { id, kind }), [id]);
  // Details over the thread are opened per conversation; narrowing the window does not open them.
  const [layerOf, setLayerOf] = useState<string>();
  if (isWide && layerOf !== undefined) setLayerOf(undefined);
  const [besideOpen, setBesideOpen] = useState(readLocal<boolean>("details-open") ?? true);
  const detailsOpen = isWide ? besideOpen : layerOf === id;
  const [width, setWidth] = useState(readLocal<number>("details-width") ?? DETAILS_WIDTH.usual);
  // Where the unread messages began when the conversation was opened; later ones are not marked as new.
  const begun = useRef<{ id: string; newAfter: number }>(undefined);
  if (begun.current?.id !== id) begun.current = undefined;
  if (!begun.current && thread.loaded && conversation) {
    const newAfter = conversation.unread_messages > 0 ? conversation.team_seen_number : Number.POSITIVE_INFINITY;
    begun.current = { id, newAfter };
  }
  const newAfter = begun.current?.newAfter;
  const messageItems = useMemo(
    () => threadItems(thread.messages, newAfter, thread.hasBefore),
    [thread.messages, newAfter, thread.hasBefore],
  );
  const timeline = details?.timeline ?? NO_ENTRIES;
  const withEntries = useMemo(
    () => withTimeline(messageItems, timeline, thread.hasBefore),
    [messageItems, timeline, thread.hasBefore],
  );
  const draft = useAiDraft(id);
  const items = useMemo(() => withWaiting(withDraft(withEntries, draft), waiting), [withEntries, draft, waiting]);
  const contactId = conversation?.contact.id;
  const name = conversation ? contactName(conversation.contact) : "";
  usePageTitle("item", name);
  const email = conversation?.contact.email ?? null;
  const visitor = useMemo(() => ({ id: contactId ?? "", name, email }), [contactId, name, email]);

  const leave = useCallback(() => navigate({ to: "/inbox", search: true }), [navigate]);
  const showDetails = useCallback(
    (open: boolean) => {
      if (!isWide) return setLayerOf(open ? id : undefined);
      setBesideOpen(open);
      writeLocal("details-open", open);
    },
    [isWide, id],
  );
  const actions = useMemo(
    () => (conversation ? actionsOn(conversation, agent, () => void leave()) : undefined),
    [conversation, agent, leave],
  );
  const focusReply = useCallback(() => composing.current?.begin("reply"), []);
  const openNext = useCallback(() => {
    const next = neighborOf(query, id);
    if (next) navigate({ to: "/inbox/$conversationId", params: { conversationId: next }, search: true });
    else leave();
  }, [query, id, navigate, leave]);
  const isErased = useIsErased(id);
  const { ask, dialog } = useErasing(({ kind }) => {
    if (kind === "conversation") openNext();
    else if (kind === "contact") void leave();
  });
  const eraseConversation = useMemo(() => ask && (() => ask({ kind: "conversation", id, name })), [ask, id, name]);
  const redact = useMemo(() => ask && ((messageId: string) => ask({ kind: "message", id: messageId })), [ask]);
  useConversationCommands({
    conversation,
    actions,
    composing,
    detailsOpen,
    showDetails,
    pick,
    openNext,
    leave,
    erase: eraseConversation,
  });
  const newest = thread.messages.at(-1)?.sort_number ?? 0;
  useMarkRead(conversation, newest);

  useEffect(() => void whenIdle().then(DetailsPane.preload), []);
  useFocusReply(id, conversation !== undefined, focusReply);

  if (thread.isUnknown) {
    return (
      <Suspense>
        <NoConversation isErased={isErased} onLeave={leave} />
      </Suspense>
    );
  }
  if (!conversation || !actions) {
    return (
      <div className="flex h-full flex-col justify-end pb-24">
        <SkeletonRows rows={5} height={72} />
      </div>
    );
  }
  const isInBrowser = traitsOf(conversation.channel).inBrowser;
  const isMail = conversation.channel === "email";
  const sameAddress = details?.same_address_conversations ?? NO_ENTRIES;
  // Only browsers say what was seen.
  const lastFromTeam = isInBrowser
    ? thread.messages.findLast(({ type, from }) => type === "message" && from === "agent")
    : undefined;
  const pane = details && (
    <CatchBoundary getResetKey={() => id} errorComponent={ErrorScreen}>
      <Suspense>
        <DetailsPane
          details={{ ...details, conversation }}
          online={online}
          actions={actions}
          onPick={pick}
          onErase={ask && (() => ask({ kind: "contact", id: conversation.contact.id, name }))}
          onClose={isWide ? undefined : () => showDetails(false)}
        />
      </Suspense>
    </CatchBoundary>
  );
  return (
    <div className="flex h-full min-w-0">
      <section className="flex min-w-0 flex-1 flex-col" aria-label={t("conversationWith", { name })}>
        {/* On a phone the list and its heading are missing. */}
        <h1 className="sr-only md:hidden">{t("conversationWith", { name })}</h1>
        <ConversationHead
          conversation={conversation}
          contact={details?.contact}
          emailSource={details?.detail_sources.email}
          online={online}
          viewers={viewers}
          detailsOpen={detailsOpen}
          actions={actions}
          onDetails={() => showDetails(!detailsOpen)}
          onPick={pick}
          onErase={eraseConversation}
        />
        <ThreadAnnouncer id={id} visitor={name} messages={thread.loaded ? thread.messages : undefined} me={agent.id} />
        <HoldAnnouncer waiting={waiting} />
        {isMail && (
          <Suspense>
            <MailHead
              key={`mail ${id}`}
              subject={conversation.subject}
              mail={details?.mail ?? undefined}
              marked={found.marked}
            />
          </Suspense>
        )}
        {email !== null && sameAddress.length > 0 && (
          <Suspense>
            <SameAddress key={`same ${id}`} address={email} others={sameAddress} />
          </Suspense>
        )}
        {!isInBrowser && thread.loaded && (
          <Suspense>
            <DeliveryAnnouncer id={id} messages={thread.messages} />
          </Suspense>
        )}
        <HandoffBanner conversation={conversation} timeline={timeline} actions={actions} />
        <ToastPlace of="thread" />
        {thread.loaded ? (
          <Thread
            key={`thread ${id}`}
            label={t("messagesWith", { name })}
            items={items}
            hasOlder={thread.hasBefore}
            found={found.message}
            onOlder={() => theInbox().loadOlder(id)}
            draw={(item) =>
              item.kind === "waiting" ? (
                <WaitingItem
                  waiting={item.waiting}
                  online={connection !== "offline"}
                  onRetry={() => theInbox().retry(item.key, item.waiting.overtaken ? { anyway: true } : {})}
                  onDiscard={() => theInbox().discard(item.key)}
                  onUndo={() => void undoSend(item.key)}
                />
              ) : item.kind === "entry" ? (
                <TimelineEntryLine entry={item.entry} visitor={name} />
              ) : item.kind === "draft" ? (
                <AiDraftItem draft={item.draft} />
              ) : (
                <MessageItem
                  message={item.message}
                  first={item.first}
                  last={item.last}
                  visitor={visitor}
                  subject={conversation.subject}
                  marked={found.marked}
                  mayRedact={redact !== undefined}
                  state={
                    item.message === lastFromTeam
                      ? t(conversation.seen_number >= item.message.sort_number ? "seen" : "sent")
                      : undefined
                  }
                />
              )
            }
          />
        ) : (
          <div className="flex min-h-0 flex-1 flex-col justify-end overflow-hidden">
            <SkeletonRows rows={5} height={72} />
          </div>
        )}
        <ConversationComposer
          key={`composer ${id}`}
          conversation={conversation}
          messages={thread.loaded ? thread.messages : undefined}
          unmailed={details?.unmailed ?? null}
          mail={details?.mail ?? undefined}
          drafting={details?.drafts_of_others.map(({ agent: face }) => face) ?? []}
          handle={composing}
          onResolved={openNext}
        />
      </section>
      {isWide && detailsOpen && (
        <>
          <PaneSeparator
            label={t("detailsWidth")}
            of="after"
            width={width}
            min={DETAILS_WIDTH.min}
            max={DETAILS_WIDTH.max}
            onChange={(next) => {
              setWidth(next);
              writeLocal("details-width", next);
            }}
          />
          <aside className="shrink-0" style={{ width }} aria-label={t("details")}>
            {pane}
          </aside>
        </>
      )}
      {!isWide && (
        <DetailsLayer open={detailsOpen} onClose={() => showDetails(false)}>
          {pane}
        </DetailsLayer>
      )}
      <MessageActions
        key={`menu ${id}`}
        conversation={conversation}
        holdSeconds={details?.mail?.hold_seconds ?? 0}
        onRedact={redact}
      />
      {dialog}
      <RunLayer key={`run ${id}`} />
      <PictureLayer key={`pictures ${id}`} messages={thread.messages} />
      <ConversationPicker kind={picking} conversations={[conversation]} onClose={() => pick(undefined)} />
    </div>
  );
}
