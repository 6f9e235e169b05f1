import type { MailAddress, ParsedMail } from "../parse/parsed-mail.ts";
import { distinctAddresses, isOwnAddress, isSameAddress, readAddress } from "./mail-address.ts";
import { headerOf, headersOf } from "./mail-headers.ts";
import type { Verdict } from "./verdict.ts";

export interface Writer {
  address: string;
  /** Null where it says no more than the address. */
  name: string | null;
  /** Where answers go: never an own address, never empty. */
  replyTo: readonly MailAddress[];
  /**
   * Whether the address is as certain as the From of a mail. It isn't where it was typed into a form, where a foreign list
   * states it, or where there is more than one From: such a mail starts a new conversation and joins none.
   */
  isTrusted: boolean;
  /** A listed form has sent it for this person: whatever its headers say of programs, a human wrote it. */
  isByForm: boolean;
}

export interface WriterRules {
  /** The account's address and its aliases, those of groups and lists that deliver to it too. */
  ownAddresses: readonly string[];
  /** The senders of forms, which write a visitor's address into Reply-To. */
  formAddresses: readonly string[];
}

/**
 * Who has written a mail: its From, except where that is the address of a list, of ourselves or of a form. Lists write
 * themselves into From so that DMARC passes; the writer is then in X-Original-From, Reply-To or Cc.
 *
 * @returns undefined where no address is readable
 */
export function whoWrote(
  mail: Pick<ParsedMail, "headers" | "from" | "replyTo" | "cc">,
  { ownAddresses, formAddresses }: WriterRules,
  verdict: Verdict | undefined,
): Writer | undefined {
  const from = distinctAddresses(mail.from)[0];
  if (from === undefined) return undefined;
  const isForm = formAddresses.some((form) => isSameAddress(form, from.address));
  const isOwn = isOwnAddress(from.address, ownAddresses);
  const list = listAddress(mail.headers);
  const isList = list !== undefined && isSameAddress(list, from.address);

  const answersTo = distinctAddresses(mail.replyTo).filter(
    ({ address }) => !isOwnAddress(address, ownAddresses) && !isSameAddress(address, from.address),
  );
  const original = isForm || !(isOwn || isList) ? undefined : originalFrom(mail.headers, ownAddresses);
  const rewritten =
    isForm || isOwn || isList
      ? (original ?? answersTo.find((each) => !isSame(each, list)) ?? writerInCc(mail, from))
      : undefined;
  const writer = rewritten ?? from;
  const replyTo = rewritten === undefined && answersTo.length > 0 ? answersTo : [writer];
  return {
    address: writer.address,
    name: nameOf(writer, rewritten === undefined ? null : from),
    replyTo: rewritten !== undefined && !isForm && original === undefined ? [rewritten] : replyTo,
    isTrusted:
      headersOf(mail.headers, "from").length <= 1 &&
      mail.from.length === 1 &&
      (rewritten === undefined || (isOwn && !isForm && isThroughList(mail.headers) && isAsSure(verdict))),
    isByForm: isForm && rewritten !== undefined,
  };
}

const isSame = ({ address }: MailAddress, other: string | undefined): boolean =>
  other !== undefined && isSameAddress(address, other);

/** A rewritten From is as sure as our own domain: with verdicts, it has to pass. */
const isAsSure = (verdict: Verdict | undefined): boolean => verdict === undefined || verdict.dmarc === "pass";

const isThroughList = (headers: ParsedMail["headers"]): boolean =>
  headerOf(headers, "list-id") !== undefined || headerOf(headers, "list-post") !== undefined;

function listAddress(headers: ParsedMail["headers"]): string | undefined {
  const post = /<mailto:([^>?\s]+)/i.exec(headerOf(headers, "list-post") ?? "")?.[1];
  return post === undefined ? undefined : readAddress(post);
}

/** Google Groups and others keep the writer in headers of their own. */
function originalFrom(headers: ParsedMail["headers"], ownAddresses: readonly string[]): MailAddress | undefined {
  for (const header of ["x-original-from", "x-original-sender"]) {
    const found = readMailbox(headerOf(headers, header) ?? "");
    if (found !== undefined && !isOwnAddress(found.address, ownAddresses)) return found;
  }
  return undefined;
}

/**
 * Mailman, where answers go to the list, writes the writer's name in front of the list's into From, and the writer into Cc, behind the
 * others; without a name, the local part and three hyphens stand for it.
 */
function writerInCc({ headers, cc }: Pick<ParsedMail, "headers" | "cc">, from: MailAddress): MailAddress | undefined {
  if (!isThroughList(headers) || from.name === null) return undefined;
  const written = from.name;
  return cc.findLast(({ name, address }) => written.startsWith(`${name ?? insteadOfName(address)} `));
}

const insteadOfName = (address: string): string => address.replace(/@.*$/s, "---");

/** One address with or without a name, as `Vera <vera@example.com>`. An encoded name is left out. */
export function readMailbox(text: string): MailAddress | undefined {
  const open = text.lastIndexOf("<");
  const address = readAddress(open === -1 ? text : text.slice(open + 1).replace(/>.*$/s, ""));
  if (address === undefined) return undefined;
  const name = open === -1 ? "" : text.slice(0, open).replaceAll('"', "").trim();
  return { name: name === "" || name.includes("=?") ? null : name, address };
}

/** Without the quotes and the `via List` that lists put around a name. */
function nameOf(writer: MailAddress, list: MailAddress | null): string | null {
  const written = writer.name ?? (list?.name && / via /i.test(list.name) ? list.name : null);
  const at = list === null ? -1 : (written?.toLowerCase().lastIndexOf(" via ") ?? -1);
  const name =
    (at > 0 ? written?.slice(0, at) : written)
      ?.trim()
      .replace(/^(['"])(.*)\1$/s, "$2")
      .trim() ?? "";
  return name === "" || name === insteadOfName(writer.address) || isSameAddress(name, writer.address) ? null : name;
}
