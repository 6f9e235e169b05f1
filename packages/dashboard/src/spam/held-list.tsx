import type { HeldMail } from "@frontdesk/core/contract/inbox-spam";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Inbox } from "lucide-react";
import { useCallback } from "react";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { MoreRows } from "../ui/more-rows.tsx";
import { problemText } from "../ui/problem-text.ts";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { ReceivedLine, SenderLine, subjectOf } from "./mail-lines.tsx";
import { heldQuery } from "./spam-queries.ts";

/** The emails of senders who had sent too many at a time. They are in their conversations, where nothing is unread by them. */
export function HeldList() {
  const found = useInfiniteQuery(heldQuery);
  const more = useCallback(() => void found.fetchNextPage(), [found.fetchNextPage]);
  const mails = found.data?.pages.flatMap((page) => page.mails) ?? [];
  return (
    <>
      {found.isPending && <SkeletonRows rows={8} height={88} />}
      {found.isError && mails.length === 0 && (
        <EmptyState icon={Inbox} title={t("trouble.title")} text={problemText(found.error)}>
          <Button onClick={() => found.refetch()}>{t("tryAgain")}</Button>
        </EmptyState>
      )}
      {found.isSuccess && mails.length === 0 && !found.hasNextPage && (
        <EmptyState icon={Inbox} title={t("held.none")} text={t("held.text")} />
      )}
      {mails.length > 0 && (
        <>
          <p className="max-w-3xl px-4 pb-3 text-muted">{t("held.text")}</p>
          <ul aria-label={t("held.title")}>
            {mails.map((mail) => (
              <Row key={mail.id} mail={mail} />
            ))}
          </ul>
        </>
      )}
      <MoreRows shown={found.hasNextPage} busy={found.isFetchingNextPage} onMore={more} />
    </>
  );
}

function Row({ mail }: { mail: HeldMail }) {
  return (
    <li className="relative border-line border-t px-4 py-3 hover:bg-hover">
      <SenderLine {...mail} />
      <Link
        to="/inbox/$conversationId"
        params={{ conversationId: mail.conversation_id }}
        search={{ view: "all" }}
        dir="auto"
        className="aligned block max-w-full truncate rounded-control font-medium after:absolute after:inset-0"
      >
        {subjectOf(mail)}
      </Link>
      <p dir="auto" className="aligned truncate text-muted">
        {mail.excerpt}
      </p>
      <ReceivedLine {...mail} />
    </li>
  );
}
