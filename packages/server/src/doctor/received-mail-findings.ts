import type { EmailSettings } from "../email/email-settings.ts";
import type { ParsedMail } from "../email/parse/parsed-mail.ts";
import {
  type DkimKey,
  type DkimSignature,
  dkimKeyName,
  dkimSignatures,
  isAligned,
  readDkimKey,
} from "../email/rules/dkim.ts";
import { headerOf } from "../email/rules/mail-headers.ts";
import { authservIdOf, type Verdict, verdictOf } from "../email/rules/verdict.ts";
import type { DomainRecords } from "../outbound/domain-records.ts";
import type { Check } from "./check.ts";

type Headers = ParsedMail["headers"];
/** No more of a server's name is shown. */
const SERVER_NAME_MAX = 100;
type Settings = Pick<EmailSettings, "address" | "outbound" | "authservId" | "plusAddressing">;

const domainOf = ({ address }: Pick<Settings, "address">): string => address.slice(address.lastIndexOf("@") + 1);
const senderOf = ({ outbound }: Settings): string => outbound?.host ?? "the mail server of SMTP_URL";

/** A Message-ID that was replaced on the way: answers refer to one that is not known here. */
export function messageIdFinding({ address, plusAddressing }: Settings): Check {
  const name = `Message-ID of ${address}`;
  const says = "The mail server replaces the Message-ID of what is sent.";
  if (plusAddressing)
    return { name, state: "note", says: `${says} Answers find their conversation by the address that they go to.` };
  const make =
    "Turn on plus addressing in Settings > Channels if the mailbox supports it, or send through another server.";
  return { name, state: "warning", says: `${says} Answers may begin conversations of their own.`, do: make };
}

/** What the mailbox's own server has found out about the sender, by Authentication-Results. */
export function verdictFinding(headers: Headers, settings: Settings): Check {
  const { address, authservId } = settings;
  const name = `sender checks of ${address}`;
  const topmost = headerOf(headers, "authentication-results");
  if (topmost === undefined) {
    const says = "The mail server added no Authentication-Results to the email, so forged senders aren't recognized.";
    const make =
      "Some servers leave them out of emails from themselves. Look at the original of an email from outside: if it has none either, turn on the checks of the mail server.";
    return { name, state: "note", says, do: make };
  }
  const server = authservIdOf(topmost).slice(0, SERVER_NAME_MAX);
  const who = server === "" ? "A server without a name" : server;
  if (authservId === null) {
    const says = `${who} found ${resultsIn(verdictOf(headers, server))}. This isn't verified: which server checks emails for this mailbox isn't set.`;
    const make = `If ${who} is your own mail server, enter it as "Sender checks by" in Settings > Channels.`;
    return { name, state: "note", says, ...(server !== "" && { do: make }) };
  }
  const verdict = verdictOf(headers, authservId);
  if (!verdict) {
    const says = `${who} checked the sender, and not ${authservId || "Microsoft 365"}, so nothing that it finds is believed.`;
    const make = `If ${who} is your own mail server, enter it as "Sender checks by" in Settings > Channels.`;
    return { name, state: "warning", says, do: make };
  }
  const says = `${server || "Microsoft 365"} found ${resultsIn(verdict)}.`;
  const make = failuresOf(verdict, settings);
  if (make !== "") return { name, state: "warning", says, do: make };
  return { name, state: Object.values(verdict).includes("pass") ? "ok" : "note", says };
}

const resultsIn = ({ spf, dkim, dmarc }: Verdict = { spf: "none", dkim: "none", dmarc: "none" }): string =>
  `SPF ${spf}, DKIM ${dkim}, DMARC ${dmarc}`;

function failuresOf({ spf, dkim, dmarc }: Verdict, settings: Settings): string {
  const domain = domainOf(settings);
  return [
    ...(spf === "fail" ? [`SPF: allow ${senderOf(settings)} to send, in the SPF record of ${domain}.`] : []),
    ...(dkim === "fail"
      ? ["DKIM: check its key in the DNS, and that nothing changes emails after they are signed."]
      : []),
    ...(dmarc === "fail" ? [`DMARC: SPF or DKIM has to pass for ${domain} itself.`] : []),
  ].join(" ");
}

/** Whether it was signed for the mailbox's domain, with a key that is in the DNS. */
export async function dkimFinding(headers: Headers, settings: Settings, records: DomainRecords): Promise<Check> {
  const domain = domainOf(settings);
  const sender = senderOf(settings);
  const name = `DKIM of ${settings.address}`;
  const signatures = dkimSignatures(headers);
  const [first, ...others] = signatures.filter((signature) => isAligned(signature, domain));
  if (signatures.length === 0) {
    const make = `Turn on DKIM at ${sender}, and add the record that it gives you, SELECTOR._domainkey.${domain}. Some servers don't sign emails to themselves: if it's on already, look at an email to another provider.`;
    return { name, state: "warning", says: "The email has no DKIM signature.", do: make };
  }
  if (first === undefined) {
    const signers = [...new Set(signatures.map((each) => each.domain))].join(", ");
    const make = `Set up DKIM for ${domain} at ${sender}, and add the record that it gives you, SELECTOR._domainkey.${domain}.`;
    return { name, state: "warning", says: `It's signed for ${signers}, and not for ${domain}.`, do: make };
  }
  const key = await readDkimKey(first, records.txt);
  if (key === "there") return { name, ...keyFinding(first, key) };
  // One valid signature is enough.
  for (const other of others) {
    if ((await readDkimKey(other, records.txt)) === "there") return { name, ...keyFinding(other, "there") };
  }
  return { name, ...keyFinding(first, key) };
}

function keyFinding(signature: DkimSignature, key: DkimKey): Omit<Check, "name"> {
  const at = dkimKeyName(signature);
  const make = `Set the TXT record ${at} to what the mail server that signs gives you.`;
  switch (key) {
    case "there":
      return { state: "ok", says: `It's signed for ${signature.domain}, and the key is in the DNS (${at}).` };
    case "missing":
      return { state: "warning", says: `It's signed, but the key isn't in the DNS: ${at} has none.`, do: make };
    case "revoked":
      return { state: "warning", says: `It's signed, but the key is revoked: p= is empty at ${at}.`, do: make };
    case "several": {
      const says = `It's signed, but there is more than one key at ${at}, so none counts.`;
      return { state: "warning", says, do: `Keep one TXT record at ${at}.` };
    }
    case "no-answer":
      return { state: "note", says: `It's signed, but the name servers gave no answer for ${at}. Try again later.` };
    default:
      return key satisfies never;
  }
}
