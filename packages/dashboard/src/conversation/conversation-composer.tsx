import type { Typist } from "@frontdesk/client/agent";
import type { InboxConversationDetails, MailDetails } from "@frontdesk/core/contract/inbox";
import type { LiveConversation, LiveMessage } from "@frontdesk/core/contract/live";
import { useQuery } from "@tanstack/react-query";
import { type RefObject, Suspense, useImperativeHandle, useMemo, useRef, useState } from "react";
import { contactName } from "../inbox/contact-name.ts";
import { theInbox, useDraft, useHasLeft, usePeople, useReturnedBy, useTyping } from "../inbox/live-inbox.ts";
import { writerName } from "../inbox/writer-name.ts";
import { cannedRepliesQuery } from "../service/canned-replies.ts";
import { useMe } from "../service/me.ts";
import { usePreferences } from "../service/preferences.ts";
import { t } from "../texts/texts.ts";
import { Avatar } from "../ui/avatar.tsx";
import { cx } from "../ui/class-names.ts";
import { spokenKeys } from "../ui/keys.tsx";
import { lazyPart } from "../ui/lazy-part.ts";
import { useArticleSuggestions } from "./article-suggestions.tsx";
import { Composer, type Inserting, type Mode } from "./composer.tsx";
import { useCopilotOf } from "./copilot-of-composer.tsx";
import { emoji } from "./emoji.ts";
import { fillCannedReply } from "./fill-canned-reply.ts";
import { NoReplyLine, ReplyLine, ReturnedLine } from "./lazy-mail.tsx";
import { mentionedIn } from "./mentioned-in.ts";
import { AiFace } from "./message-item.tsx";
import { useNameOfAi } from "./name-of-ai.ts";
import { type SuggestionSource, unknownSlashWord } from "./suggestions.tsx";
import { sendWithUndo, useReturned, useUndoSend } from "./undo-send.ts";
import { attachmentOf, useUploads } from "./uploads.ts";
import { useWaiting } from "./use-waiting.ts";

const OvertakenBar = lazyPart(() => import("./overtaken-bar.tsx"), "OvertakenBar");

/** What other components can do with the composer. */
export interface Composing {
  begin(mode: Mode): void;
  /** Begins to insert an article at the cursor. */
  insertArticle(): void;
}

/** The composer of a conversation, with its drafts, suggestions, and the typing of others. */
export function ConversationComposer({
  conversation,
  messages,
  unmailed,
  mail,
  drafting,
  handle,
  onResolved,
}: {
  conversation: LiveConversation;
  /** Why no email brings a reply to the visitor once they have left. */
  unmailed: InboxConversationDetails["unmailed"];
  /** Undefined in other channels, and until it is loaded. */
  mail: MailDetails | undefined;
  /** All loaded messages, oldest first; undefined until the first are loaded. */
  messages: readonly LiveMessage[] | undefined;
  /** The other agents who have a draft. */
  drafting: readonly Face[];
  handle: RefObject<Composing | null>;
  onResolved(): void;
}) {
  const { id, contact, channel } = conversation;
  const [mode, setMode] = useState<Mode>("reply");
  const draft = useDraft(id, mode);
  const returnedBy = useReturnedBy(id);
  const field = useRef<HTMLTextAreaElement>(null);
  const inserting = useRef<Inserting>(null);
  const [isFocused, setFocused] = useState(false);
  const uploads = useUploads();
  const typing = useTyping(id);
  const people = usePeople();
  const { send_with = "enter", undo_send_seconds = 0 } = usePreferences();
  const undoSend = useUndoSend(id);
  const held = useWaiting(id).findLast(({ hold }) => hold && !hold.isUndoing);
  const sources = useSources(conversation, mode);
  /** The newest message when the reply was begun; for an older draft, the newest when it was shown again. */
  const begunAfter = useRef<number>(undefined);
  if (mode === "reply" && draft.text === "") begunAfter.current = undefined;
  if (mode === "reply" && draft.text !== "" && messages) begunAfter.current ??= messages.at(-1)?.sort_number ?? 0;
  const { data: canned } = useQuery(cannedRepliesQuery);
  /** The reply that was held back because of a mistyped canned reply: sent again, it goes as text. */
  const [heldBack, setHeldBack] = useState<string>();
  const names = canned?.map(({ name }) => name);
  const word = mode === "reply" && names && unknownSlashWord(draft.text, names);
  const overtaken = mode === "reply" ? repliesAfter(messages ?? [], begunAfter.current, people?.me) : [];

  const disabled = conversation.is_blocked && mode === "reply" ? t("composer.blocked") : undefined;
  const maySend = mode === "note" || channel !== "email" || mail?.reply != null;
  const copilot = useCopilotOf(conversation, {
    ...{ mode, text: draft.text, set: draft.set, messages, isFocused },
    ...{ hasFiles: uploads.files.length > 0, maySend: maySend && disabled === undefined },
  });
  useReturned(id, uploads, begunAfter, () => setMode("reply"));

  useImperativeHandle(handle, () => ({
    begin(next) {
      setMode(next);
      // At once: the next key press belongs in the field.
      field.current?.focus();
    },
    insertArticle: () => inserting.current?.begin("#"),
  }));

  const write = (text: string) => {
    draft.set(text);
    if (text === "") copilot.forget();
    theInbox().typing(id, mode === "reply" && text !== "");
  };
  const send = (resolve: boolean, anyway = false) => {
    if (copilot.takesWish()) return;
    if (overtaken.length > 0 && !anyway) return;
    if (word && heldBack !== draft.text) return setHeldBack(draft.text);
    // Of a channel account, its admins decide.
    const holdMs = mode === "reply" ? (mail?.hold_seconds ?? undo_send_seconds) * 1_000 : 0;
    const message = {
      conversation_id: id,
      type: mode === "reply" ? ("message" as const) : ("note" as const),
      content: draft.text.trim(),
      attachments: uploads.files.flatMap(({ sent }) => (sent ? [attachmentOf(sent)] : [])),
      ...(mode === "note" && { mentions: mentionedIn(draft.text, people?.agents ?? []) }),
      ...(mode === "reply" && begunAfter.current !== undefined && { after_number: begunAfter.current }),
      ...(anyway && { anyway }),
      ...(mode === "reply" && copilot.wasUsed && { drafted_with_ai: true }),
      ...(resolve && { resolve }),
    };
    const leaving = resolve ? t("undoSend.leaving", { name: contactName(contact) }) : undefined;
    sendWithUndo(message, { holdMs, leaving, undo: (clientId) => void undoSend(clientId) });
    draft.set("");
    copilot.forget();
    // While it is held, the others see for some more seconds that this agent writes.
    if (holdMs === 0) theInbox().typing(id, false);
    uploads.clear();
    if (resolve) onResolved();
  };
  const writers = typing.agents.filter((agent) => agent.id !== people?.me);
  return (
    <Composer
      mode={mode}
      onMode={setMode}
      text={draft.text}
      onText={write}
      fieldRef={field}
      inserting={inserting}
      uploads={uploads}
      sources={sources}
      sendWith={send_with}
      canResolve={!conversation.is_resolved}
      label={t(channel === "email" ? "composer.reply" : "composer.replyLabel")}
      disabled={disabled}
      ghost={copilot.ghost}
      onFocus={setFocused}
      tools={copilot.menu}
      onEscape={copilot.onEscape}
      onShortcut={copilot.onShortcut}
      maySend={maySend}
      onSend={(resolve) => send(resolve)}
      onUndo={held && (() => void undoSend(held.client_id))}
      hint={
        <>
          {mode === "reply" && !conversation.is_resolved && conversation.speaker === "ai" && <TakesOver />}
          {mode === "reply" && <Way contact={contact} unmailed={unmailed} mail={mail} />}
          <Suspense>{mode === "reply" && returnedBy === "email" && <ReturnedLine />}</Suspense>
          <Hints typing={typing.visitor ? contactName(contact) : undefined} writers={writers} drafting={drafting} />
          {copilot.bar}
          {word && heldBack === draft.text && (
            <NoCanned word={word} keys={send_with === "enter" ? "Enter" : "$mod+Enter"} />
          )}
          <Suspense>
            {overtaken.length > 0 && (
              <OvertakenBar replies={overtaken} onAnyway={() => send(false, true)} onDiscard={() => write("")} />
            )}
          </Suspense>
        </>
      }
    />
  );
}

/** How a reply reaches whom it is for, where that is not the open chat. */
function Way({
  contact,
  unmailed,
  mail,
}: {
  contact: LiveConversation["contact"];
  unmailed: InboxConversationDetails["unmailed"];
  mail: MailDetails | undefined;
}) {
  return (
    <>
      {unmailed && <Unmailed contact={contact} why={unmailed} />}
      <Suspense>
        {mail?.reply && <ReplyLine reply={mail.reply} />}
        {mail?.refusal && <NoReplyLine refusal={mail.refusal} />}
      </Suspense>
    </>
  );
}

/** The AI holds the conversation: a reply ends that. */
function TakesOver() {
  return <p className="px-1 pb-1 text-meta text-subtle">{t("ai.sendingTakesOver", { name: useNameOfAi() })}</p>;
}

/** There is no canned reply of this name: the same keys send it as text. */
function NoCanned({ word, keys }: { word: string; keys: string }) {
  return (
    <p role="alert" className="px-1 pb-1 text-meta text-warning">
      {t("composer.noCanned", { word, keys: spokenKeys(keys) })}
    </p>
  );
}

/** The visitor has left, and reads a reply only in the chat. */
function Unmailed({ contact, why }: { contact: LiveConversation["contact"]; why: "mail-off" | "no-email" }) {
  if (!useHasLeft(contact.id)) return null;
  return <p className="px-1 pb-1 text-meta text-subtle">{t(`composer.left.${why}`, { name: contactName(contact) })}</p>;
}

type Face = { id: string; name: string | null; photo_url: string | null };
type Writer = NonNullable<Typist>;

function Hints({
  typing,
  writers,
  drafting,
}: {
  typing: string | undefined;
  writers: readonly Writer[];
  drafting: readonly Face[];
}) {
  const writer = writers.find(({ by_ai }) => !by_ai) ?? writers[0];
  const [drafter] = drafting.filter(({ id }) => !writers.some((one) => one.id === id));
  return (
    <div className="flex min-h-5 items-center gap-2 px-1 pb-1 text-meta text-subtle empty:hidden" aria-live="polite">
      {typing && <span>{t("visitorTypes", { name: typing })}</span>}
      {writer && (
        <span className={cx("flex items-center gap-1", !writer.by_ai && "text-warning")}>
          {writer.by_ai ? <AiFace /> : <Avatar {...faceOf(writer)} size="small" />}
          {t("agentWrites", { name: writerName(writer) })}
        </span>
      )}
      {drafter && <span>{t("draftBy", { name: drafter.name ?? "" })}</span>}
    </div>
  );
}

const faceOf = ({ id, name, photo_url }: Writer) => ({ id, name, photo: photo_url });

function useSources(conversation: LiveConversation, mode: Mode): readonly SuggestionSource[] {
  const { agent, team } = useMe();
  const people = usePeople();
  const { data: canned } = useQuery(cannedRepliesQuery);
  const articles = useArticleSuggestions();
  return useMemo(() => {
    const replies: SuggestionSource = {
      sign: "/",
      onlyAtStart: true,
      suggestions: (canned ?? []).map(({ id, name, content }) => {
        const filled = fillCannedReply(content, { contact: conversation.contact, agent: agent.name, team: team.name });
        return { id, label: name, also: content, hint: filled, insert: filled };
      }),
    };
    const smileys: SuggestionSource = {
      sign: ":",
      suggestions: emoji.map(({ sign, names }) => ({
        id: sign,
        label: names.split(" ")[0] ?? "",
        also: names,
        icon: sign,
        insert: sign,
      })),
    };
    const mentions: SuggestionSource = {
      sign: "@",
      suggestions: (people?.agents ?? []).map((one) => ({
        id: one.id,
        label: one.name ?? one.email,
        also: one.email,
        hint: one.email,
        icon: <Avatar id={one.id} name={one.name} photo={one.photo_url} size="small" />,
        insert: `@${one.name ?? one.email} `,
      })),
    };
    return mode === "note" ? [mentions, smileys, articles, replies] : [replies, smileys, articles];
  }, [canned, articles, people, conversation.contact, agent.name, team.name, mode]);
}

/** Replies of teammates since the agent began to write. */
function repliesAfter(
  messages: readonly LiveMessage[],
  after: number | undefined,
  me: string | undefined,
): LiveMessage[] {
  if (after === undefined) return [];
  return messages.filter(
    ({ sort_number, type, from, agent }) =>
      sort_number > after && type === "message" && from === "agent" && agent?.id !== me,
  );
}
