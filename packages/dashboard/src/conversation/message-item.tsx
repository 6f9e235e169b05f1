import { isEmojiOnly } from "@frontdesk/client/agent";
import type { InboxPeople } from "@frontdesk/core/contract/inbox";
import type { LiveMessage } from "@frontdesk/core/contract/live";
import type { Marked } from "@frontdesk/core/domain/highlights";
import { Bot, Lock, Mail, MoreHorizontal, Sparkles, Workflow } from "lucide-react";
import { memo, type ReactNode, Suspense, useContext } from "react";
import { usePeople } from "../inbox/live-inbox.ts";
import { useMe } from "../service/me.ts";
import { agentName } from "../texts/agent-name.ts";
import { momentOf, timeOf } from "../texts/dates.ts";
import { t } from "../texts/texts.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Badge } from "../ui/badge.tsx";
import { cx } from "../ui/class-names.ts";
import { lazyPart } from "../ui/lazy-part.ts";
import { AttachmentsOf } from "./attachments-of.tsx";
import { FoldedMessage } from "./folded-message.tsx";
import { HoldPosition } from "./hold-position.ts";
import { Delivery, MailLine, QuotedText } from "./lazy-mail.tsx";
import { LineText } from "./line-text.tsx";
import { MessageText } from "./message-text.tsx";
import { OfAi } from "./of-ai.tsx";
import { openMessageMenu } from "./opened-message-menu.ts";
import { useTranslation } from "./translations.ts";

const EmailView = lazyPart(() => import("./email-view.tsx"), "EmailView");
const TranslatedText = lazyPart(() => import("./translated-text.tsx"), "TranslatedText", "copilot");

interface Shown {
  message: LiveMessage;
  first: boolean;
  last: boolean;
  visitor: { id: string; name: string | null; email: string | null };
  /** Of a mail conversation. */
  subject: string | null;
  /** Shown below the last reply: whether the visitor has seen it. */
  state?: string | undefined;
  /** What is marked, when the conversation was opened from a search. */
  marked?: Marked | undefined;
  /** Whether the agent may delete its text and files. */
  mayRedact: boolean;
}

/** One message as the team sees it: a bubble on its sender's side, a note over the whole width, a muted system line. */
export const MessageItem = memo(function MessageItem(props: Shown) {
  const { message } = props;
  if (message.type === "system") return <SystemLine message={message} />;
  if (message.type === "note" || message.type === "reminder") return <Note {...props} />;
  return message.from === "visitor" ? <FromVisitor {...props} /> : <FromTeam {...props} />;
});

function FromVisitor({ message, first, last, visitor, subject, marked, mayRedact }: Shown) {
  const { copilot: canTranslate } = useMe();
  return (
    <div className={cx("group pe-12", first ? "pt-3" : "pt-0.5")}>
      {message.email && (
        <Suspense>
          <MailLine email={message.email} contact={visitor.email} subject={subject} />
        </Suspense>
      )}
      <div className="flex items-end gap-2">
        <span className="w-6 shrink-0">{last && <Avatar id={visitor.id} name={visitor.name} size="medium" />}</span>
        <Bubble
          className={cx("rounded-bubble bg-bubble", last && "rounded-es-tag")}
          message={message}
          marked={marked}
        />
        {last && <When at={message.created_at} />}
        {(hasMenu(message, mayRedact) || (canTranslate && message.content !== "")) && (
          <span className="relative self-end">
            <MenuButton message={message} className="start-0" />
          </span>
        )}
      </div>
    </div>
  );
}

function FromTeam({ message, first, last, state, marked, mayRedact }: Shown) {
  const { agent, sent_via } = message;
  return (
    <div className={cx("group flex flex-col items-end ps-12", first ? "pt-3" : "pt-0.5")}>
      {first && (
        <p className="mb-1 flex items-center gap-1.5 pe-8 text-meta text-subtle">
          <Author via={sent_via} name={agent?.name ? agentName(agent) : null} />
        </p>
      )}
      <div className="relative flex max-w-full items-end gap-2">
        {(message.content || hasMenu(message, mayRedact)) && <MenuButton message={message} className="end-full me-1" />}
        {last && <When at={message.created_at} />}
        <Bubble
          className={cx("rounded-bubble bg-accent-soft", last && "rounded-ee-tag")}
          message={message}
          marked={marked}
        />
        <span className="w-6 shrink-0">{last && (message.by_ai ? <AiFace /> : agent && <Face agent={agent} />)}</span>
      </div>
      {message.by_ai && <OfAi message={message} />}
      {message.delivery ? (
        <Suspense>
          <Delivery id={message.id} delivery={message.delivery} />
        </Suspense>
      ) : (
        state && <p className="pe-8 pt-1 text-label text-subtle">{state}</p>
      )}
    </div>
  );
}

/** A program must not look like a person. */
export const AiFace = () => (
  <span
    className="flex size-6 items-center justify-center rounded-full bg-accent-soft text-accent-text"
    aria-hidden="true"
  >
    <Sparkles size={14} />
  </span>
);

const Face = ({ agent }: { agent: NonNullable<LiveMessage["agent"]> }) => (
  <Avatar id={agent.id} name={agent.name} photo={agent.photo_url} size="medium" />
);

/** A plain button: a menu per message would slow down every thread. It is placed where no text is. */
function MenuButton({ message, className }: { message: LiveMessage; className: string }) {
  return (
    <button
      type="button"
      aria-label={t("message.more")}
      title={t("message.more")}
      aria-haspopup="menu"
      onClick={({ currentTarget }) => openMessageMenu({ message, button: currentTarget })}
      className={cx(
        "absolute bottom-0 inline-flex size-8 -outline-offset-2 items-center justify-center rounded-control text-subtle opacity-0 hover:bg-hover hover:text-ink focus-visible:opacity-100 group-hover:opacity-100 pointer-coarse:size-11 pointer-coarse:opacity-100",
        className,
      )}
    >
      <MoreHorizontal size={16} aria-hidden="true" />
    </button>
  );
}

/** Who wrote it, and by which program: an assistant must not look like a person. */
export function Author({ via, name }: { via: LiveMessage["sent_via"]; name: string | null }) {
  if (via === "assistant") {
    return (
      <>
        <Bot size={12} aria-hidden="true" />
        {name ? t("assistantFor", { name }) : t("assistant")}
      </>
    );
  }
  if (via === "ai") {
    return (
      <>
        <Sparkles size={12} aria-hidden="true" />
        <bdi>{name}</bdi>
        <Badge tone="accent">{t("ai.word")}</Badge>
      </>
    );
  }
  if (via === "automation") {
    return (
      <>
        <Workflow size={12} aria-hidden="true" />
        {t("automation")}
      </>
    );
  }
  if (via === "channel") {
    return (
      <span className="flex flex-wrap justify-end gap-x-1.5">
        <bdi>{name}</bdi>
        <span className="flex items-center gap-1.5">
          <Mail size={12} aria-hidden="true" className="shrink-0" />
          {t("sentElsewhere")}
        </span>
      </span>
    );
  }
  return <bdi>{name}</bdi>;
}

function Note({ message, marked, mayRedact }: Shown) {
  const people = usePeople();
  const { agent, sent_via } = message;
  return (
    <div className="pt-3">
      <article
        className="group relative rounded-menu border border-note-line bg-note px-3 py-2 text-note-ink"
        aria-label={agent?.name ? t("noteBy", { name: agentName(agent) }) : t("note")}
      >
        <p className="mb-0.5 flex items-center gap-1.5 text-meta">
          <Lock size={12} aria-hidden="true" />
          <span className="inline-flex items-center gap-1.5 font-medium">
            <Author via={sent_via} name={agent?.name ? agentName(agent) : null} />
          </span>
          <span>· {t("onlyYourTeam")}</span>
          <time className="numbers ms-auto" dateTime={message.created_at} title={momentOf(message.created_at)}>
            {timeOf(message.created_at)}
          </time>
        </p>
        {message.content && <Text message={message} marked={marked} people={people?.agents} />}
        {isEmpty(message) && <Redacted />}
        {message.attachments.length > 0 && <AttachmentsOf attachments={message.attachments} from={message.from} />}
        {mayRedact && !isEmpty(message) && <MenuButton message={message} className="end-0" />}
      </article>
    </div>
  );
}

/** Said by the service; or an email that no one has to answer: an automatic one, or one of very many. */
function SystemLine({ message }: { message: LiveMessage }) {
  const { id, content, created_at, email, mail } = message;
  const time = <span className="numbers">{timeOf(created_at)}</span>;
  if (!email) {
    return (
      <p className="px-8 pt-3 text-center text-meta text-subtle">
        <LineText text={content ?? ""} /> · {time}
      </p>
    );
  }
  return (
    <div className="group relative mx-8 mt-3 flex flex-col items-start rounded-menu border border-line px-3 py-2 text-meta text-subtle">
      <Suspense>
        <MailLine email={email} contact={null} subject={null} />
      </Suspense>
      <FoldedMessage id={id} text={content ?? ""}>
        <p dir="auto" className="aligned wrap-anywhere whitespace-pre-wrap">
          {content}
        </p>
      </FoldedMessage>
      {time}
      <Formatted message={message} />
      {mail && <MenuButton message={message} className="end-0" />}
    </div>
  );
}

function Bubble({ message, className, marked }: Pick<Shown, "message" | "marked"> & { className: string }) {
  const { content, attachments, from } = message;
  const translation = useTranslation(message.id);
  return (
    <div className="flex min-w-0 max-w-[min(100%,40rem)] flex-col gap-1">
      {content && (
        <BubbleBox className={cx(!isEmojiOnly(content) && className)}>
          <Text message={message} marked={marked} />
        </BubbleBox>
      )}
      {isEmpty(message) && (
        <BubbleBox className={className}>
          <Redacted />
        </BubbleBox>
      )}
      {attachments.length > 0 && <AttachmentsOf attachments={attachments} from={from} />}
      <Formatted message={message} />
      {translation && (
        <Suspense>
          <TranslatedText id={message.id} translation={translation} />
        </Suspense>
      )}
    </div>
  );
}

/** What an email has besides its text: what it quotes, and how it was formatted. */
function Formatted({ message: { id, mail, email } }: Pick<Shown, "message">) {
  const holdPosition = useContext(HoldPosition);
  return (
    <>
      {email?.has_quoted && (
        <Suspense>
          <QuotedText id={id} holdPosition={holdPosition} />
        </Suspense>
      )}
      {mail?.has_html && (
        <Suspense>
          <EmailView id={id} holdPosition={holdPosition} />
        </Suspense>
      )}
    </>
  );
}

const hasMenu = (message: LiveMessage, mayRedact: boolean): boolean =>
  (mayRedact && !isEmpty(message)) || message.mail !== undefined;

/** It was redacted, or its files were, and it had no text. */
const isEmpty = ({ content, attachments }: LiveMessage): boolean => !content && attachments.length === 0;

const Redacted = () => <p className="text-message italic">{t("erased.message")}</p>;

function Text({
  message: { id, client_id, content },
  marked,
  people,
}: Pick<Shown, "message" | "marked"> & { people?: InboxPeople["agents"] | undefined }) {
  return (
    <FoldedMessage id={client_id ?? id} text={content} marked={marked}>
      <MessageText text={content} marked={marked} people={people} />
    </FoldedMessage>
  );
}

export function BubbleBox({ className, children }: { className: string; children: ReactNode }) {
  return <div className={cx("w-fit max-w-full px-3 py-2", className)}>{children}</div>;
}

function When({ at }: { at: string }) {
  return (
    <time className="numbers shrink-0 pb-1 text-label text-subtle" dateTime={at} title={momentOf(at)}>
      {timeOf(at)}
    </time>
  );
}
