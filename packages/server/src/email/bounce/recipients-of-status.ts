import type { ParsedMail } from "../parse/parsed-mail.ts";
import { readHeaderBlock } from "../rules/header-block.ts";
import { isOwnAddress, isSameAddress, readAddress } from "../rules/mail-address.ts";
import { headerOf } from "../rules/mail-headers.ts";
import { type FailedRecipient, failedRecipient, RECIPIENTS_MAX } from "./failed-recipient.ts";
import { statusIn } from "./failure-class.ts";
import { linesAbout, wordsIn } from "./lines-about.ts";

/** Whether a text has the fields of RFC 3464 with a recipient that is an address: in a part of their own, or among the words of a report. */
export const namesRecipients = (text: string): boolean => /^(?:final|original)-recipient:[^|\n]*[^\s|@]@/im.test(text);

const REACHED = /^(?:deliver|relayed|expanded)/;

/**
 * The recipients in the fields of RFC 3464.
 *
 * @param said the words of the report, where the fields have none
 * @param sentTo whom the returned headers name
 */
export function recipientsOfStatus(
  text: string,
  said: string,
  own: readonly string[],
  sentTo: readonly string[],
): FailedRecipient[] {
  const groups = groupsIn(text)
    .flatMap((group) => {
      const fields = readHeaderBlock(group);
      const address = recipientOf(fields, own, sentTo);
      const action = (headerOf(fields, "action") ?? "failed").toLowerCase();
      return address === undefined || REACHED.test(action) ? [] : [{ fields, address, action }];
    })
    .slice(0, RECIPIENTS_MAX);
  const all = groups.map(({ address }) => address);
  const around = wordsIn(said);
  return groups.map(({ fields, address, action }) => {
    const diagnostic = (headerOf(fields, "diagnostic-code") ?? "").replace(/^[\w-]+\s*;\s*/, "");
    const status = statusIn(headerOf(fields, "status") ?? "") ?? null;
    const words = isReadable(diagnostic) ? diagnostic : linesAbout(address, around, all);
    return failedRecipient(address, action.startsWith("delayed"), status, words);
  });
}

/** Some write other letters than ASCII into a field, in ISO-2022-JP: the words of the report have them too, and a charset. */
const isReadable = (diagnostic: string): boolean => diagnostic !== "" && !diagnostic.includes("\u001b");

/** The groups of fields, one a recipient. An empty line is between them, but some leave it out. */
function groupsIn(text: string): string[] {
  return text
    .replaceAll(/\r\n?/g, "\n")
    .split(/\n[ \t]*\n/)
    .flatMap((group) => {
      const names = [...group.matchAll(/^((?:original|final)-recipient):/gim)].map(([, name]) => name?.toLowerCase());
      // Of one recipient, fields stand above its name too.
      const isOfSeveral = names.indexOf(names[0], 1) !== -1;
      return isOfSeveral ? group.split(new RegExp(`^(?=${names[0]}:)`, "im")) : [group];
    });
}

/** The one that we have sent to: the original one, where mail to it is forwarded, but some servers write another there. */
function recipientOf(
  fields: ParsedMail["headers"],
  own: readonly string[],
  sentTo: readonly string[],
): string | undefined {
  const named = ["original-recipient", "final-recipient"]
    .flatMap((name) => addressOf(headerOf(fields, name)) ?? [])
    .filter((address) => !isOwnAddress(address, own));
  return named.find((address) => sentTo.some((each) => isSameAddress(each, address))) ?? named[0];
}

/** The address of `rfc822; vera@example.com`, in any brackets. */
export function addressOf(field: string | undefined): string | undefined {
  if (field === undefined) return undefined;
  return readAddress(field.slice(field.indexOf(";") + 1).replaceAll(/[<>"\s]/g, ""));
}
