import type { MailAddress, ParsedMail } from "../parse/parsed-mail.ts";
import { readHeaderBlock, textOfPart } from "./header-block.ts";
import { distinctAddresses, isOwnAddress } from "./mail-address.ts";
import { headerOf } from "./mail-headers.ts";
import { readMailbox } from "./who-wrote.ts";

/** No more of a text is looked at. */
const TEXT_MAX = 200_000;
const LINE_MAX = 500;
const PARTS_MAX = 10;

/** How mail programs call the headers of a mail in their text: what is From, and what stands beside it. */
const FROM =
  "from von de da van från fra lähettäjä od kimden от від από מאת من 发件人 寄件者 寄件人 差出人 送信者 보낸사람 보낸 사람 보낸이".split(
    " ",
  );
const BESIDE =
  "date sent to subject cc reply-to gesendet datum an betreff enviado fecha para asunto envoyé à objet data inviato a oggetto assunto verzonden aan onderwerp skickat till ämne sendt til emne lähetetty päivä vastaanottaja aihe wysłano data do temat gönderilen tarih kime konu отправлено дата кому тема копия 发送时间 日期 收件人 主题 抄送 寄件日期 收件者 主旨 送信日時 日付 宛先 件名 보낸날짜 받는사람 제목".split(
    " ",
  );

/**
 * The one From of the mail that a mail forwards: in its attached mails (message/rfc822), else in the header blocks of its text.
 * Undefined where there is none, or more than one: who of them it is about, only the forwarder knows.
 */
export function forwardedFrom(
  mail: Pick<ParsedMail, "text" | "textOfHtml" | "parts">,
  ownAddresses: readonly string[],
): MailAddress | undefined {
  const attached = mail.parts.filter(({ mime }) => mime === "message/rfc822").slice(0, PARTS_MAX);
  const senders =
    attached.length > 0
      ? attached.flatMap(({ content }) => {
          return readMailbox(headerOf(readHeaderBlock(textOfPart(content)), "from") ?? "") ?? [];
        })
      : sendersInText(mail.text ?? mail.textOfHtml ?? "");
  const others = distinctAddresses(senders).filter(({ address }) => !isOwnAddress(address, ownAddresses));
  return others.length === 1 ? others[0] : undefined;
}

interface Labelled {
  label: string;
  value: string;
}

function sendersInText(text: string): MailAddress[] {
  const lines = text
    .slice(0, TEXT_MAX)
    .split(/\r\n|\r|\n/)
    .map(labelled);
  return lines.flatMap((line, index) => {
    if (line === undefined || !FROM.includes(line.label)) return [];
    const isBeside = (other: Labelled | undefined) => other !== undefined && BESIDE.includes(other.label);
    // From alone may be a sentence; three labels in a row are the headers of a mail.
    const around = lines.slice(Math.max(0, index - 3), index + 4).filter(isBeside);
    return around.length >= 2 ? (readMailbox(withoutLink(line.value)) ?? []) : [];
  });
}

/** `> *From:* Vera` is `from`, `Vera`: quoted, bold, with a colon of any width. */
function labelled(line: string): Labelled | undefined {
  const plain = line
    .slice(0, LINE_MAX)
    .replace(/^[>\s]+/, "")
    .replaceAll("*", "");
  const found = /^([\p{L}-]{1,20}(?: \p{L}{1,10})?)\s{0,3}[:：]\s?(.*)$/u.exec(plain);
  return found ? { label: (found[1] as string).toLowerCase(), value: (found[2] as string).trim() } : undefined;
}

/** Outlook and others write an address as a link: `[mailto:vera@example.com]`, `<mailto:…>`, `<a@b<mailto:a@b>>`. */
function withoutLink(value: string): string {
  return value
    .replace(/<?<mailto:[^>]*>+/i, (link) => (/@[^<]*</.test(value) ? ">" : link))
    .replace(/\[(?:mailto:)?([^\]]*@[^\]]*)\]/i, "<$1>")
    .replace(/mailto:/i, "");
}
