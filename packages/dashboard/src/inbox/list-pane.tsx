import type { InboxQuery } from "@frontdesk/core/domain/inbox";
import { CloudOff } from "lucide-react";
import { useCallback, useMemo } from "react";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import { choose, clearChosen, useChosen } from "./chosen.ts";
import { ConversationList } from "./conversation-list.tsx";
import { ConversationRow, ROW_HEIGHT } from "./conversation-row.tsx";
import { useListCommands } from "./list-commands.tsx";
import { ListHead } from "./list-head.tsx";
import { theInbox, useConnection, useInboxList, useInboxState } from "./live-inbox.ts";
import { viewEmpty, viewIcons, viewName } from "./view-names.ts";

const NOBODY: readonly never[] = [];

/** What there is to do: the conversations of a view, and what is done with several of them. */
export function ListPane({ query, activeId }: { query: InboxQuery; activeId: string | undefined }) {
  const { conversations, loaded, hasMore } = useInboxList(query);
  const failed = useConnection() === "offline";
  const drafts = useInboxState((state) => state.drafts);
  const viewing = useInboxState((state) => state.viewing);
  const typing = useInboxState((state) => state.typing);
  const online = useInboxState((state) => state.presence.contacts);
  const chosenIds = useChosen();
  const chosen = useMemo(() => conversations.filter(({ id }) => chosenIds.has(id)), [conversations, chosenIds]);
  const ids = useMemo(() => conversations.map(({ id }) => id), [conversations]);
  const onChoose = useCallback((id: string, range: boolean) => choose(id, range ? ids : undefined), [ids]);
  const onMore = useCallback(() => void theInbox().loadMore(query), [query]);
  useListCommands({ ids, activeId, chosen, onChoose });

  return (
    <>
      {chosen.length > 0 ? (
        <BulkBar
          chosen={chosen}
          total={conversations.length}
          onAll={() => choose(undefined, ids)}
          onClear={clearChosen}
        />
      ) : (
        <ListHead query={query} />
      )}
      {!loaded && !failed && <SkeletonRows rows={8} height={ROW_HEIGHT} />}
      {failed && !loaded && (
        <EmptyState icon={CloudOff} title={t("trouble.title")} text={t("noConnection")}>
          <Button onClick={() => theInbox().wake()}>{t("tryAgain")}</Button>
        </EmptyState>
      )}
      {loaded && conversations.length === 0 && (
        <EmptyState icon={viewIcons[query.view]} title={t("view.nothing")} text={viewEmpty(query.view)} />
      )}
      {loaded && conversations.length > 0 && (
        <ConversationList
          label={viewName(query.view)}
          conversations={conversations}
          activeId={activeId}
          hasMore={hasMore}
          onMore={onMore}
          draw={(conversation, place) => (
            <ConversationRow
              conversation={conversation}
              active={conversation.id === activeId}
              chosen={chosenIds.has(conversation.id)}
              choosing={chosenIds.size > 0}
              draft={drafts.has(conversation.id)}
              viewers={viewing.get(conversation.id) ?? NOBODY}
              typing={typing.get(conversation.id)?.includes(null) ?? false}
              online={online.has(conversation.contact.id)}
              place={place}
              of={hasMore ? -1 : conversations.length}
              onChoose={onChoose}
            />
          )}
        />
      )}
    </>
  );
}
