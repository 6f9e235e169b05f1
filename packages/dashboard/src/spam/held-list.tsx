import type { HeldMail, HeldMailList } from "@frontdesk/core/contract/inbox-spam";
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Inbox } from "lucide-react";
import { t } from "../texts/texts.ts";
import { ReceivedLine, SenderLine, subjectOf } from "./mail-lines.tsx";
import { MailList } from "./mail-list.tsx";
import { automaticQuery, heldQuery } from "./spam-queries.ts";

/** The emails of senders who had sent too many at a time. They are in their conversations, where nothing is unread by them. */
export function HeldList() {
  const found = useInfiniteQuery(heldQuery);
  return <QuietList found={found} label={t("held.title")} text={t("held.text")} none={t("held.none")} />;
}

/** The emails of programs that answer no conversation. Each is in a conversation of its own, which is resolved. */
export function AutomaticList() {
  const found = useInfiniteQuery(automaticQuery);
  return <QuietList found={found} label={t("automatic.title")} text={t("automatic.text")} none={t("automatic.none")} />;
}

function QuietList({
  found,
  label,
  text,
  none,
}: {
  found: UseInfiniteQueryResult<InfiniteData<HeldMailList>>;
  label: string;
  text: string;
  none: string;
}) {
  const mails = found.data?.pages.flatMap((page) => page.mails) ?? [];
  return (
    <MailList
      found={found}
      rows={mails.map((mail) => <Row key={mail.id} mail={mail} />)}
      label={label}
      text={text}
      troubleIcon={Inbox}
      empty={{ icon: Inbox, title: none }}
    />
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
