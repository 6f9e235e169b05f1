import type { CannedReply } from "@frontdesk/core/contract/inbox";
import { useQuery } from "@tanstack/react-query";
import { MessageSquareReply, Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { askInbox } from "../../service/ask-inbox.ts";
import { cannedRepliesChanged, cannedRepliesQuery } from "../../service/canned-replies.ts";
import { useMay } from "../../service/me.ts";
import { t } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Section } from "../../ui/page.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { showProblem, showToast } from "../../ui/toast.ts";
import { CannedReplyDialog } from "./canned-reply-dialog.tsx";

/** The canned replies, which agents insert with a slash. */
export function CannedRepliesPart() {
  const { data: replies } = useQuery(cannedRepliesQuery);
  const mayTeam = useMay("write-team-canned-replies");
  const [editing, setEditing] = useState<CannedReply | "new">();
  const remove = async ({ id, whose, name, content }: CannedReply) => {
    try {
      await askInbox("removeCannedReply", { params: { whose, id } });
      await cannedRepliesChanged();
      showToast(t("canned.removed"), async () => {
        await askInbox("addCannedReply", { params: { whose }, body: { name, content } });
        await cannedRepliesChanged();
      });
    } catch (error) {
      showProblem(problemText(error));
    }
  };
  return (
    <Section
      title={t("settings.canned")}
      text={t("canned.text")}
      actions={
        <Button look="primary" onClick={() => setEditing("new")}>
          <Plus size={14} aria-hidden="true" />
          {t("canned.add")}
        </Button>
      }
    >
      {replies?.length === 0 && (
        <EmptyState icon={MessageSquareReply} title={t("canned.none")} text={t("canned.noneText")} />
      )}
      <ul>
        {replies?.map((reply) => {
          const mayChange = reply.whose === "own" || mayTeam;
          return (
            <li key={reply.id} className="flex items-center gap-3 border-line border-t py-2.5 first:border-t-0">
              <div className="min-w-0 flex-1">
                <p className="flex items-center gap-2 font-medium">
                  /{reply.name}
                  {reply.whose === "team" && <Badge>{t("canned.team")}</Badge>}
                </p>
                <p dir="auto" className="aligned truncate text-muted">
                  {reply.content}
                </p>
              </div>
              {mayChange && (
                <>
                  <IconButton label={t("change", { name: reply.name })} onClick={() => setEditing(reply)}>
                    <Pencil size={14} />
                  </IconButton>
                  <IconButton label={t("removeData", { name: reply.name })} onClick={() => remove(reply)}>
                    <Trash2 size={14} />
                  </IconButton>
                </>
              )}
            </li>
          );
        })}
      </ul>
      {editing && (
        <CannedReplyDialog reply={editing === "new" ? undefined : editing} onClose={() => setEditing(undefined)} />
      )}
    </Section>
  );
}
