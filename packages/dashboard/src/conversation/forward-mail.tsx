import { fileSizeText } from "@frontdesk/client/agent";
import type { LiveMessage } from "@frontdesk/core/contract/live";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { askInbox } from "../service/ask-inbox.ts";
import { useMe } from "../service/me.ts";
import { momentOf } from "../texts/dates.ts";
import { language, t } from "../texts/texts.ts";
import { CheckRow } from "../ui/check-row.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, TextArea } from "../ui/field.tsx";
import { FormProblem, useForm } from "../ui/form.tsx";
import { problemText } from "../ui/problem-text.ts";
import { showProblem, showToast } from "../ui/toast.ts";
import { MailFormButtons, RecipientField } from "./mail-form.tsx";
import { openForward } from "./opened-forward.ts";
import { useMailDraft, useOneKey } from "./use-mail-draft.ts";

const FORM = "forward-mail";

type Values = Partial<Record<"to" | "content", string>>;

const hasText = ({ to = "", content = "" }: Values): boolean => to !== "" || content !== "";

/**
 * Sends an email on to an outside address. What is written with it stays in this browser until it is sent, so that undoing gives it back.
 *
 * @param holdSeconds how long it can be undone
 */
export function ForwardMail({
  message,
  conversationId,
  holdSeconds,
  onClose,
}: {
  message: LiveMessage;
  conversationId: string;
  holdSeconds: number;
  onClose(): void;
}) {
  const { agent } = useMe();
  const draft = useMailDraft(agent.id, `forward:${message.id}`, hasText);
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const keyFor = useOneKey();
  const undo = useUndoForward({ conversationId, message });
  const form = useForm(async ({ to = "", content = "" }: Values) => {
    const files = positionsOf(message).filter((position) => !left.has(position));
    const mail = { message_id: message.id, to: to.trim(), content, files, hold_ms: holdSeconds * 1_000 };
    const client_id = keyFor(mail);
    const of = { conversation_id: conversationId };
    const { state } = await askInbox("forwardMail", { params: of, body: { ...mail, client_id } });
    onClose();
    if (state === "held") {
      showToast(t("forward.sending", { to: mail.to }), () => void undo(client_id), mail.hold_ms);
      // Undone until then, it is written again from what is kept.
      setTimeout(() => !undone.has(client_id) && draft.discard(), mail.hold_ms);
    } else {
      draft.discard();
      showToast(t("forward.sent", { to: mail.to }));
    }
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("forward.email")}
      text={t("forward.hint")}
      width="wide"
      footer={
        <MailFormButtons form={FORM} label={t("forward.send")} draft={draft} disabled={form.busy} onClose={onClose} />
      }
    >
      <form id={FORM} onSubmit={form.send} onInput={draft.keep} className="flex flex-col gap-4">
        <RecipientField begun={draft.begun.to} problem={form.problemOf("to")} />
        <Field label={t("forward.message")} problem={form.problemOf("content")}>
          <TextArea name="content" dir="auto" rows={5} defaultValue={draft.begun.content ?? ""} />
        </Field>
        <PassedOn message={message} />
        <Files message={message} left={left} onChange={setLeft} />
        <FormProblem text={form.problemOf("conversation_id") ?? form.problemOf("attachments") ?? form.problem} />
      </form>
    </Dialog>
  );
}

/** Those that the agent has undone: their text is kept. */
const undone = new Set<string>();

/** It is not sent, and the dialog is open again with what was written. */
function useUndoForward(opened: { conversationId: string; message: LiveMessage }) {
  const navigate = useNavigate();
  return async (client_id: string) => {
    const { conversationId } = opened;
    undone.add(client_id);
    try {
      const params = { conversation_id: conversationId };
      const { state } = await askInbox("undoForward", { params, query: { client_id } });
      if (state === "sent") return showToast(t("undoSend.tooLate"));
      await navigate({ to: "/inbox/$conversationId", params: { conversationId }, search: {} });
      openForward(opened);
    } catch (error) {
      showProblem(problemText(error));
    }
  };
}

const positionsOf = ({ attachments }: LiveMessage): number[] => attachments.map((_, index) => index + 1);

/** The email that goes along below the agent's text. */
function PassedOn({ message: { email, content, created_at } }: { message: LiveMessage }) {
  const from = email?.from;
  return (
    <section aria-label={t("forward.original")} className="rounded-control border border-line text-meta">
      <div className="border-line border-b px-3 py-2">
        <p dir="auto" className="aligned wrap-anywhere font-medium">
          {email?.subject || t("mail.noSubject")}
        </p>
        <p className="flex flex-wrap gap-x-3 text-subtle">
          <bdi className="wrap-anywhere">
            {from ? (from.name ? `${from.name} <${from.address}>` : from.address) : t("mail.noSender")}
          </bdi>
          <time dateTime={created_at}>{momentOf(created_at)}</time>
        </p>
      </div>
      <p
        dir="auto"
        tabIndex={0}
        className="aligned wrap-anywhere max-h-40 overflow-y-auto whitespace-pre-wrap px-3 py-2"
      >
        {content}
      </p>
    </section>
  );
}

/** @param left the positions of those that do not go along */
function Files({
  message,
  left,
  onChange,
}: {
  message: LiveMessage;
  left: ReadonlySet<number>;
  onChange(left: ReadonlySet<number>): void;
}) {
  const { attachments } = message;
  if (attachments.length === 0) return null;
  return (
    <fieldset>
      <legend className="font-medium">{t("forward.files")}</legend>
      {attachments.map(({ url, name, size }, index) => {
        const position = index + 1;
        const size_text = size == null ? undefined : fileSizeText(size, language);
        return (
          <CheckRow
            key={url}
            label={name ?? url}
            hint={size_text}
            checked={!left.has(position)}
            onChange={(isChecked) => {
              const others = [...left].filter((one) => one !== position);
              onChange(new Set(isChecked ? others : [...others, position]));
            }}
          />
        );
      })}
    </fieldset>
  );
}
