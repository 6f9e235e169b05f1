import type { MailAddress } from "../parse/parsed-mail.ts";
import { distinctAddresses, isOwnAddress, isSameAddress } from "./mail-address.ts";

export interface AnsweredMail {
  from: MailAddress;
  replyTo: readonly MailAddress[];
  to: readonly MailAddress[];
  cc: readonly MailAddress[];
}

export interface ReplyRecipients {
  to: MailAddress[];
  cc: MailAddress[];
}

/** Most recipients of a reply in Cc; who lists more has a mailing list. */
export const CC_MAX = 100;

/**
 * Who gets the reply to a mail: its Reply-To, else its From; and as Cc, who else was in its To and Cc. Own addresses, with any
 * tag, never; Bcc is in no mail that we get.
 */
export function replyRecipients(answered: AnsweredMail, ownAddresses: readonly string[]): ReplyRecipients {
  const others = (addresses: readonly MailAddress[]) =>
    distinctAddresses(addresses).filter(({ address }) => !isOwnAddress(address, ownAddresses));
  const replyTo = others(answered.replyTo);
  const to = replyTo.length > 0 ? replyTo : others([answered.from]);
  const cc = others([...answered.to, ...answered.cc])
    .filter(({ address }) => !to.some((each) => isSameAddress(each.address, address)))
    .slice(0, CC_MAX);
  // What we wrote ourselves is answered to those who got it.
  return to.length > 0 ? { to, cc } : { to: cc, cc: [] };
}
