import type { InboxPeople } from "@frontdesk/core/contract/inbox";
import { useNavigate } from "@tanstack/react-router";
import { Paperclip } from "lucide-react";
import { useRef } from "react";
import { usePeople } from "../inbox/live-inbox.ts";
import { useMe } from "../service/me.ts";
import { rest } from "../service/rest.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, Select, TextArea, TextInput } from "../ui/field.tsx";
import { FormProblem, useForm } from "../ui/form.tsx";
import { AttachmentTray } from "./attachment-tray.tsx";
import { MailFormButtons, RecipientField } from "./mail-form.tsx";
import { attachmentOf, useUploads } from "./uploads.ts";
import { useFileDrop } from "./use-file-drop.ts";
import { useMailDraft, useOneKey } from "./use-mail-draft.ts";

const FORM = "new-mail";
const SUBJECT_MAX = 255;

type Values = Partial<Record<"channel_id" | "to" | "name" | "subject" | "content", string>>;

/** Starts a conversation by email. What is written stays in this browser until it is sent or discarded. */
export function NewMail({ onClose }: { onClose(): void }) {
  const { agent } = useMe();
  const navigate = useNavigate();
  const accounts = useSendingAccounts();
  const draft = useMailDraft(agent.id, "new-mail", hasText);
  const uploads = useUploads();
  const over = useFileDrop(uploads.add);
  const keyFor = useOneKey();
  const form = useForm(async ({ channel_id = "", to = "", name = "", subject = "", content = "" }: Values) => {
    const attachments = uploads.files.flatMap(({ sent }) => (sent ? [attachmentOf(sent)] : []));
    const body = { channel_id, to: to.trim(), name: name.trim() || null, subject, content, attachments };
    const { data } = await rest.startMailConversation({ body, idempotencyKey: keyFor(body) });
    draft.discard();
    onClose();
    const conversationId = data.attributes.conversation_id;
    await navigate({ to: "/inbox/$conversationId", params: { conversationId }, search: {} });
  });
  const isReady = accounts.length > 0 && uploads.files.every(({ state }) => state === "done");
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("mail.new")}
      width="wide"
      footer={
        <MailFormButtons
          form={FORM}
          label={t("composer.send")}
          draft={draft}
          disabled={form.busy || !isReady}
          onClose={onClose}
        />
      }
    >
      <form id={FORM} onSubmit={form.send} onInput={draft.keep} className="flex flex-col gap-4">
        <Sender accounts={accounts} begun={draft.begun.channel_id} problem={form.problemOf("channel_id")} />
        <div className="grid gap-4 md:grid-cols-2">
          <RecipientField begun={draft.begun.to} problem={form.problemOf("to")} />
          <Field label={t("mail.nameOptional")} problem={form.problemOf("name")}>
            <TextInput name="name" autoComplete="off" defaultValue={draft.begun.name ?? ""} />
          </Field>
        </div>
        <Field label={t("mail.subject")} problem={form.problemOf("subject")}>
          <TextInput
            name="subject"
            required
            dir="auto"
            maxLength={SUBJECT_MAX}
            defaultValue={draft.begun.subject ?? ""}
          />
        </Field>
        <Field label={t("mail.message")} problem={form.problemOf("content")}>
          <TextArea
            name="content"
            required={uploads.files.length === 0}
            dir="auto"
            rows={8}
            defaultValue={draft.begun.content ?? ""}
            className={over ? "border-accent border-dashed" : undefined}
          />
        </Field>
        <div className="flex flex-col items-start gap-2">
          <AttachmentTray uploads={uploads} />
          <AttachButton onFiles={uploads.add} />
        </div>
        <FormProblem text={form.problemOf("attachments") ?? form.problemOf("agent_id") ?? form.problem} />
      </form>
    </Dialog>
  );
}

type Account = InboxPeople["channels"][number];

const NONE: readonly Account[] = [];

const useSendingAccounts = (): readonly Account[] => (usePeople()?.channels ?? NONE).filter(({ can_send }) => can_send);

/** The mailbox that it is sent from: to be selected where there are several. */
function Sender({
  accounts,
  begun,
  problem,
}: {
  accounts: readonly Account[];
  begun: string | undefined;
  problem: string | undefined;
}) {
  const first = accounts.find(({ id }) => id === begun) ?? accounts[0];
  return (
    <Field label={t("mail.from")} problem={problem}>
      <Select name="channel_id" required defaultValue={first?.id}>
        {accounts.map(({ id, name, address }) => (
          <option key={id} value={id}>
            {name ? `${name} <${address}>` : address}
          </option>
        ))}
      </Select>
    </Field>
  );
}

function AttachButton({ onFiles }: { onFiles(files: File[]): void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = "";
        }}
      />
      <Button look="quiet" size="compact" onClick={() => input.current?.click()}>
        <Paperclip size={14} aria-hidden="true" />
        {t("composer.attach")}
      </Button>
    </>
  );
}

const hasText = ({ channel_id: _, ...texts }: Values): boolean => Object.values(texts).some((text) => text !== "");
