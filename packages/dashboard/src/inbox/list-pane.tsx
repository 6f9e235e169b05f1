import { listKey } from "@frontdesk/client/agent";
import { hasUnreadMention, type InboxQuery, isUnseen } from "@frontdesk/core/domain/inbox";
import { CloudOff } from "lucide-react";
import { Suspense, useCallback, useEffect, useMemo } from "react";
import { preloadPart } from "../service/load-part.ts";
import { usePageTitle } from "../shell/page-title.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { lazyPart } from "../ui/lazy-part.ts";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { whenIdle } from "../ui/when-idle.ts";
import { ConversationList } from "./conversation-list.tsx";
import { ConversationRow } from "./conversation-row.tsx";
import { ROW_HEIGHTS, useDensity } from "./density.ts";
import { useListCommands } from "./list-commands.tsx";
import { ListEmpty } from "./list-empty.tsx";
import { ListHead } from "./list-head.tsx";
import { theInbox, useConnection, useCounts, useInboxList, useInboxState } from "./live-inbox.ts";
import { useListName } from "./saved-views.ts";
import { clearSelection, select, useSelection } from "./selection.ts";

const NOBODY: readonly never[] = [];

const BulkBar = lazyPart(() => import("./bulk-bar.tsx"), "BulkBar");
const preloadConversation = () => preloadPart(() => import("../conversation/conversation-page.tsx"));
const preloadMail = () => preloadPart(() => import("../conversation/lazy-mail.tsx").then((mail) => mail.preloadMail()));

/** The conversations of a view, and the actions on selected ones. */
export function ListPane({ query, activeId }: { query: InboxQuery; activeId: string | undefined }) {
  const { conversations, loaded, hasMore } = useInboxList(query);
  const failed = useConnection() === "offline";
  const density = useDensity();
  const drafts = useInboxState((state) => state.drafts);
  const viewing = useInboxState((state) => state.viewing);
  const typing = useInboxState((state) => state.typing);
  const ownReads = useInboxState((state) => state.ownReads);
  const me = useInboxState((state) => state.me);
  // What was read before own reads were kept has none; the count knows it.
  const hasMentions = (useCounts()?.mentions.unread ?? 0) > 0;
  const online = useInboxState((state) => state.presence.contacts);
  const selectedIds = useSelection();
  const selected = useMemo(() => conversations.filter(({ id }) => selectedIds.has(id)), [conversations, selectedIds]);
  const ids = useMemo(() => conversations.map(({ id }) => id), [conversations]);
  const onChoose = useCallback((id: string, range: boolean) => select(id, range ? ids : undefined), [ids]);
  const onMore = useCallback(() => void theInbox().loadMore(query), [query]);
  const view = listKey(query);
  const name = useListName(query);
  usePageTitle("screen", name);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view starts without a selection
  useEffect(() => clearSelection, [view]);
  useListCommands({ ids, activeId, onChoose });
  // Loaded after the first rows, so that the first conversation and the first selection open without a delay.
  const hasMail = useInboxState(({ people }) => people?.channels.some(({ channel }) => channel === "email") ?? false);
  useEffect(() => {
    if (loaded) void whenIdle().then(() => Promise.all([preloadConversation(), BulkBar.preload()]));
    if (loaded && hasMail) void whenIdle().then(preloadMail);
  }, [loaded, hasMail]);

  return (
    <>
      {selected.length > 0 ? (
        <Suspense fallback={<ListHead query={query} />}>
          <BulkBar
            selected={selected}
            total={conversations.length}
            onAll={() => select(undefined, ids)}
            onClear={clearSelection}
          />
        </Suspense>
      ) : (
        <ListHead query={query} />
      )}
      {!loaded && !failed && <SkeletonRows rows={8} height={ROW_HEIGHTS[density]} />}
      {failed && !loaded && (
        <EmptyState icon={CloudOff} title={t("trouble.title")} text={t("noConnection")}>
          <Button onClick={() => theInbox().wake()}>{t("tryAgain")}</Button>
        </EmptyState>
      )}
      {loaded && conversations.length === 0 && <ListEmpty query={query} />}
      {loaded && conversations.length > 0 && (
        <ConversationList
          key={view}
          label={name}
          conversations={conversations}
          activeId={activeId}
          rowHeight={ROW_HEIGHTS[density]}
          hasMore={hasMore}
          onMore={onMore}
          onChoose={onChoose}
          draw={(conversation, place, tabStop) => (
            <ConversationRow
              conversation={conversation}
              active={conversation.id === activeId}
              selected={selectedIds.has(conversation.id)}
              choosing={selectedIds.size > 0}
              unseen={isUnseen(conversation, ownReads.get(conversation.id))}
              mentioned={hasMentions && hasUnreadMention(conversation, me, ownReads.get(conversation.id))}
              draft={drafts.has(conversation.id)}
              viewers={viewing.get(conversation.id) ?? NOBODY}
              typists={typing.get(conversation.id) ?? NOBODY}
              online={online.has(conversation.contact.id)}
              density={density}
              place={place}
              of={hasMore ? -1 : conversations.length}
              tabStop={tabStop}
              onChoose={onChoose}
            />
          )}
        />
      )}
    </>
  );
}
