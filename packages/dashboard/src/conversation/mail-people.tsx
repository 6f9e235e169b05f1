/** Who a mail conversation is with: above the thread, at a message, and above the field for a reply. */
import type { MailDetails } from "@frontdesk/core/contract/inbox";
import type { LiveEmail, LiveMailHead, LiveMailPerson } from "@frontdesk/core/contract/live-mail";
import type { Marked } from "@frontdesk/core/domain/highlights";
import { ChevronDown, Mail } from "lucide-react";
import { useId, useState } from "react";
import { refusalText } from "../texts/refusal-text.ts";
import { lazily, locale, t } from "../texts/texts.ts";
import { cx } from "../ui/class-names.ts";
import { FoundText } from "../ui/marked-text.tsx";

/** In a line; all of them are listed on demand. */
const NAMES_SHOWN = 3;

const names = lazily(() => new Intl.ListFormat(locale, { type: "unit", style: "short" }));

/**
 * The subject, the channel, and who the last mail is from and to.
 *
 * @param marked what a search has found
 */
export function MailHead({
  subject,
  mail,
  marked,
}: {
  subject: string | null;
  mail: MailDetails | undefined;
  marked: Marked | undefined;
}) {
  const [open, setOpen] = useState(false);
  const peopleId = useId();
  const last = mail?.last;
  return (
    <section aria-label={t("mail.about")} className="border-line border-b px-4 py-2">
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-3">
        <h3 dir="auto" title={subject ?? undefined} className="aligned min-w-0 flex-1 truncate font-medium">
          {subject && marked ? <FoundText text={subject} marked={marked} /> : subject || t("mail.noSubject")}
        </h3>
        {mail && (
          <p className="flex min-w-0 max-w-full items-center gap-1.5 text-meta text-subtle">
            <Mail size={12} className="shrink-0" role="img" aria-label={t("channel.email")} />
            {mail.account.name && <bdi className="truncate">{mail.account.name}</bdi>}
            <bdi className="truncate">{mail.account.address}</bdi>
          </p>
        )}
      </div>
      {last && (
        <>
          <button
            type="button"
            aria-expanded={open}
            aria-controls={peopleId}
            onClick={() => setOpen(!open)}
            className="-mx-1 flex min-h-6 max-w-full items-center gap-1 rounded-control px-1 text-start text-meta text-subtle hover:bg-hover hover:text-ink pointer-coarse:min-h-11"
          >
            <span className="min-w-0 truncate">{summary(last)}</span>
            <ChevronDown size={12} aria-hidden="true" className={cx("shrink-0", open && "rotate-180")} />
          </button>
          <dl
            id={peopleId}
            hidden={!open}
            className="grid max-h-40 grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 overflow-y-auto pt-1 text-meta"
          >
            {last.from && <Part label={t("mail.from")} people={[last.from]} />}
            <Part label={t("mail.to")} people={last.to} />
            <Part label={t("mail.cc")} people={last.cc} />
            {last.more > 0 && <dd className="numbers col-start-2 text-subtle">+{last.more}</dd>}
          </dl>
        </>
      )}
    </section>
  );
}

function Part({ label, people }: { label: string; people: readonly LiveMailPerson[] }) {
  if (people.length === 0) return null;
  return (
    <>
      <dt className="text-subtle">{label}</dt>
      <dd>
        <ul>
          {people.map((person, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a mail may name an address twice
            <li key={index} dir="auto" className="aligned wrap-anywhere">
              {fullName(person)}
            </li>
          ))}
        </ul>
      </dd>
    </>
  );
}

function summary({ from, to, cc, more }: LiveMailHead): string {
  const values = { from: from ? shortName(from) : t("mail.noSender"), to: inShort(to), cc: inShort(cc, more) };
  return cc.length > 0 ? t("mail.headCc", values) : t("mail.head", values);
}

/**
 * At a message: who wrote it, when that is not the contact, and its subject, when it is not that of the conversation.
 *
 * @param contact their address
 */
export function MailLine({
  email,
  contact,
  subject,
}: {
  email: LiveEmail;
  contact: string | null;
  subject: string | null;
}) {
  const { from } = email;
  const isOther = from !== null && from.address.toLowerCase() !== contact?.toLowerCase();
  const isNamed = email.subject !== "" && email.subject !== (subject ?? "");
  if (!isOther && !isNamed) return null;
  return (
    <p className="flex flex-col ps-8 pb-1 text-meta text-subtle">
      {isOther && <span className="wrap-anywhere">{t("mail.fromWho", { who: fullName(from) })}</span>}
      {isNamed && <span className="wrap-anywhere">{t("mail.subjectNow", { subject: email.subject })}</span>}
    </p>
  );
}

/** Whom a reply goes to, as the service decides it. */
export function ReplyLine({ reply: { to, cc } }: { reply: NonNullable<MailDetails["reply"]> }) {
  const [open, setOpen] = useState(false);
  const peopleId = useId();
  const isShort = to.length <= NAMES_SHOWN && cc.length <= NAMES_SHOWN;
  const text = lineOf(to, cc);
  if (isShort) return <p className="wrap-anywhere px-1 pb-1 text-meta text-subtle">{text}</p>;
  return (
    <div className="px-1 pb-1 text-meta text-subtle">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={peopleId}
        onClick={() => setOpen(!open)}
        className="flex min-h-6 max-w-full items-center gap-1 rounded-control text-start hover:text-ink pointer-coarse:min-h-11"
      >
        <span className="min-w-0 truncate">{text}</span>
        <ChevronDown size={12} aria-hidden="true" className={cx("shrink-0", open && "rotate-180")} />
      </button>
      <dl
        id={peopleId}
        hidden={!open}
        className="grid max-h-40 grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 overflow-y-auto pt-1"
      >
        <Part label={t("mail.to")} people={to} />
        <Part label={t("mail.cc")} people={cc} />
      </dl>
    </div>
  );
}

/** Why a reply that was sent is a draft again. */
export function ReturnedLine() {
  return (
    <p role="alert" className="px-1 pb-1 text-meta text-warning">
      {t("mail.returned")}
    </p>
  );
}

/** Why no reply can be sent. */
export function NoReplyLine({ refusal }: { refusal: NonNullable<MailDetails["refusal"]> }) {
  return (
    <p role="status" className="px-1 pb-1 text-meta text-warning">
      {refusalText(refusal)}
    </p>
  );
}

function lineOf(to: readonly LiveMailPerson[], cc: readonly LiveMailPerson[]): string {
  const values = { to: inShort(to, 0, fullName), cc: inShort(cc, 0, fullName) };
  return cc.length > 0 ? t("mail.replyToCc", values) : t("mail.replyTo", values);
}

/** The first names, and how many more there are. */
function inShort(people: readonly LiveMailPerson[], more = 0, nameOf = shortName): string {
  const left = Math.max(0, people.length - NAMES_SHOWN) + more;
  const shown = people.slice(0, NAMES_SHOWN).map(nameOf);
  return names().format(left > 0 ? [...shown, `+${left}`] : shown);
}

const shortName = ({ name, address }: LiveMailPerson): string => name || address;
const fullName = ({ name, address }: LiveMailPerson): string => (name ? `${name} <${address}>` : address);
