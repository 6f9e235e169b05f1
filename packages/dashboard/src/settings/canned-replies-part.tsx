import type { CannedReply } from "@frontdesk/core/contract/inbox";
import { useQuery } from "@tanstack/react-query";
import { MessageSquareReply, Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { askInbox } from "../service/ask-inbox.ts";
import { cannedRepliesQuery } from "../service/canned-replies.ts";
import { useMay } from "../service/me.ts";
import { queries } from "../service/queries.ts";
import { t } from "../texts/texts.ts";
import { Badge } from "../ui/badge.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Field, Select, TextArea, TextInput } from "../ui/field.tsx";
import { FormProblem, useForm } from "../ui/form.tsx";
import { Section } from "../ui/page.tsx";
import { problemText } from "../ui/problem-text.ts";
import { tell, tellProblem } from "../ui/toast.ts";

const changed = () => queries.invalidateQueries({ queryKey: cannedRepliesQuery.queryKey });

/** Answers that are written again and again, behind a slash. */
export function CannedRepliesPart() {
  const { data: replies } = useQuery(cannedRepliesQuery);
  const mayTeam = useMay("write-team-canned-replies");
  const [editing, setEditing] = useState<CannedReply | "new">();
  const remove = async ({ id, whose, name, content }: CannedReply) => {
    try {
      await askInbox("removeCannedReply", { params: { whose, id } });
      await changed();
      tell(t("canned.removed"), async () => {
        await askInbox("addCannedReply", { params: { whose }, body: { name, content } });
        await changed();
      });
    } catch (error) {
      tellProblem(problemText(error));
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
        <ReplyDialog
          reply={editing === "new" ? undefined : editing}
          mayTeam={mayTeam}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Section>
  );
}

function ReplyDialog({
  reply,
  mayTeam,
  onClose,
}: {
  reply: CannedReply | undefined;
  mayTeam: boolean;
  onClose(): void;
}) {
  const form = useForm(async ({ name = "", content = "", whose = "own" }) => {
    const body = { name: name.trim(), content };
    if (reply) await askInbox("updateCannedReply", { params: { whose: reply.whose, id: reply.id }, body });
    else await askInbox("addCannedReply", { params: { whose: whose as CannedReply["whose"] }, body });
    await changed();
    onClose();
  });
  return (
    <Dialog open onClose={onClose} title={reply ? t("change", { name: reply.name }) : t("canned.add")}>
      <form onSubmit={form.send} className="flex flex-col gap-4">
        <Field label={t("name")} hint={t("canned.nameHint")} problem={form.problemOf("name")}>
          <TextInput name="name" required autoFocus defaultValue={reply?.name ?? ""} />
        </Field>
        <Field label={t("canned.content")} hint={<CannedPlaces />} problem={form.problemOf("content")}>
          <TextArea name="content" required dir="auto" rows={6} defaultValue={reply?.content ?? ""} />
        </Field>
        {!reply && mayTeam && (
          <Field label={t("canned.whose")}>
            <Select name="whose" defaultValue="own">
              <option value="own">{t("canned.own")}</option>
              <option value="team">{t("canned.forTeam")}</option>
            </Select>
          </Field>
        )}
        <FormProblem text={form.problem} />
        <Button type="submit" look="primary" size="large" disabled={form.busy}>
          {t("save")}
        </Button>
      </form>
    </Dialog>
  );
}

function CannedPlaces() {
  return (
    <>
      {t("canned.places")}{" "}
      <code className="font-mono">
        {"{{contact.first_name|there}}, {{contact.email}}, {{agent.name}}, {{team.name}}"}
      </code>
    </>
  );
}
