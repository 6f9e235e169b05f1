import type { CannedReply } from "@frontdesk/core/contract/inbox";
import { cannedPlaceholders } from "@frontdesk/core/domain/canned-placeholders";
import { askInbox } from "../../service/ask-inbox.ts";
import { cannedRepliesChanged } from "../../service/canned-replies.ts";
import { useMay } from "../../service/me.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Select, TextArea, TextInput } from "../../ui/field.tsx";
import { FormProblem, useForm } from "../../ui/form.tsx";
import { UnsavedMark, useUnsaved } from "../../ui/unsaved.tsx";

/** The form for a new or changed canned reply. */
export function CannedReplyDialog({
  reply,
  begin,
  onClose,
  onSaved = () => {},
}: {
  /** The reply to change. */
  reply?: CannedReply | undefined;
  /** The initial values of a new one. */
  begin?: { name: string; content: string };
  onClose(): void;
  onSaved?(name: string): void;
}) {
  const mayTeam = useMay("write-team-canned-replies");
  const was = reply ?? begin;
  const unsaved = useUnsaved();
  const form = useForm(async ({ name = "", content = "", whose = "own" }) => {
    const body = { name: name.trim(), content };
    await unsaved.saving(
      reply
        ? askInbox("updateCannedReply", { params: { whose: reply.whose, id: reply.id }, body })
        : askInbox("addCannedReply", { params: { whose: whose as CannedReply["whose"] }, body }),
    );
    await cannedRepliesChanged();
    onClose();
    onSaved(body.name);
  });
  return (
    <Dialog
      open
      onClose={() => unsaved.leave(onClose)}
      title={reply ? t("change", { name: reply.name }) : t("canned.add")}
    >
      <form {...unsaved.form} onSubmit={form.send} className="flex flex-col gap-4">
        <Field label={t("name")} hint={t("canned.nameHint")} problem={form.problemOf("name")}>
          <TextInput name="name" required autoFocus defaultValue={was?.name ?? ""} />
        </Field>
        <Field label={t("canned.content")} hint={<CannedPlaceholders />} problem={form.problemOf("content")}>
          <TextArea name="content" required dir="auto" rows={6} defaultValue={was?.content ?? ""} />
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
        <UnsavedMark unsaved={unsaved} />
        <Button type="submit" look="primary" size="large" disabled={form.busy}>
          {t("save")}
        </Button>
        {unsaved.question}
      </form>
    </Dialog>
  );
}

function CannedPlaceholders() {
  return (
    <>
      {t("canned.places")}{" "}
      <code className="font-mono">
        {cannedPlaceholders
          .map((name) => (name === "contact.first_name" ? "{{contact.first_name|there}}" : `{{${name}}}`))
          .join(", ")}
      </code>
    </>
  );
}
