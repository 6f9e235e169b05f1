import type { SpamItem } from "@frontdesk/core/contract/inbox-spam";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ShieldCheck, ShieldX } from "lucide-react";
import { useState } from "react";
import { usePeople } from "../inbox/live-inbox.ts";
import { askInbox } from "../service/ask-inbox.ts";
import { ServiceError } from "../service/service-error.ts";
import { t } from "../texts/texts.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { problemText } from "../ui/problem-text.ts";
import { showNews, showProblem, showToast } from "../ui/toast.ts";
import { mailboxName, subjectOf } from "./mail-lines.tsx";
import { MailList } from "./mail-list.tsx";
import { spamHandled, spamQuery } from "./spam-queries.ts";
import { SpamRow } from "./spam-row.tsx";
import { useRowAfter } from "./use-row-after.ts";

/** The emails that the mail servers of the team's mailboxes call spam. */
export function SpamList() {
  const navigate = useNavigate();
  const people = usePeople();
  const found = useInfiniteQuery(spamQuery);
  const rows = found.data?.pages.flatMap(({ spam }) => spam) ?? [];
  const { place, goesFrom } = useRowAfter(rows);
  const [asking, setAsking] = useState<SpamItem>();

  const handled = async (item: SpamItem) => {
    goesFrom(item);
    await spamHandled(item);
  };
  const allow = async (item: SpamItem) => {
    const values = { subject: subjectOf(item) };
    try {
      const { is_paused } = await askInbox("markNotSpam", { params: { id: item.id } });
      const text = is_paused
        ? t("spam.movedLater", { ...values, mailbox: mailboxName(item, people) })
        : t("spam.moved", values);
      showNews(text, { label: t("nav.inbox"), run: () => void navigate({ to: "/inbox" }) });
    } catch (error) {
      showProblem(problemText(error));
      if (!isGone(error)) return;
    }
    await handled(item);
  };
  const remove = async (item: SpamItem) => {
    try {
      await askInbox("deleteSpam", { params: { id: item.id } });
      showToast(t("spam.deleted", { subject: subjectOf(item) }));
    } catch (error) {
      if (!isGone(error)) throw error;
      showProblem(problemText(error));
    }
    await handled(item);
  };

  return (
    <>
      <div ref={place} tabIndex={-1} className="flex flex-1 flex-col outline-none">
        <MailList
          found={found}
          rows={rows.map((item) => (
            <SpamRow key={item.id} item={item} onAllow={() => allow(item)} onDelete={() => setAsking(item)} />
          ))}
          label={t("nav.spam")}
          text={t("spam.text")}
          troubleIcon={ShieldX}
          empty={{ icon: ShieldCheck, title: t("spam.none") }}
        />
      </div>
      {asking && (
        <ConfirmDialog
          title={t("spam.deleteTitle")}
          text={t("spam.deleteText", { subject: subjectOf(asking) })}
          action={t("spam.delete")}
          onConfirm={() => remove(asking)}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  );
}

/** Another agent was faster. */
const isGone = (error: unknown): boolean => error instanceof ServiceError && error.status === 404;
