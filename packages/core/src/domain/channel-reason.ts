/**
 * What the service says of a channel account, of its settings and of a message that is sent outside, by name: one sentence each,
 * with its values in braces. The REST API, e-mails, logs and `doctor` have the sentence; the dashboard gets name and values, and
 * translates by them (docs/decisions/0072-named-reasons-of-channels.md). A name or a value that is renamed is renamed in the
 * dashboard's `texts/delivery-reasons.ts` or `settings/channels/channel-reasons.ts`, and is unknown in rows that have it.
 */
import { fillPlaces, type PlacesOf, type PlaceValues, placesIn } from "./text-places.ts";

/** Why nothing can be sent, or a mail was not; of an account, of an attempt or of a recipient. */
const sendingText = {
  // The answer of a mail server, or the words of a report that came back.
  "smtp.says": "{words}",
  "smtp.sign-in-kind": "The mail server does not accept this kind of sign-in.",
  "smtp.blocked": "The mail server is not on the public internet.",
  "smtp.unencrypted": "The mail server may not be used without encryption.",
  "smtp.tls": "No secure connection to the mail server is possible: its certificate or its TLS was refused.",
  "smtp.no-host": "The mail server's name has no address.",
  "smtp.timeout": "The mail server did not answer in time.",
  "smtp.away": "The mail server could not be reached, or closed the connection.",
  "smtp.lost": "The connection was lost after the mail was handed over.",
  "token.refused": "The sign-in is missing, or it has ended. Sign in again.",
  "token.app": "The provider refuses the app. Check its client ID and client secret.",
  "token.service": "The provider refuses the app. Check its details, and what an administrator has allowed it to do.",
  "token.away": "The provider of the sign-in can't be reached. Frontdesk keeps trying.",
} as const;

/** What attempts are logged with (`SendOutcome.reason` of the server). */
const attemptText = {
  "attempt.no-message": "The message has been erased.",
  "attempt.no-identity": "The contact has no address in this channel.",
  "attempt.no-server": "The channel has no mail server to send through.",
  "attempt.secrets": "The password of the channel can't be read with this server's key.",
  "attempt.timeout": "Sending took too long.",
  "attempt.stopped": "The server was stopping.",
  "attempt.storage": "The server could not read its own storage.",
  "attempt.internal": "Something went wrong on our side.",
  "attempt.server": "The mail server could not be reached, or closed the connection.",
  "attempt.later": "The mail server asked to try again later.",
  "attempt.refused": "The mail server refused it.",
  "attempt.quota": "The mail server says that the account has sent too much.",
  "attempt.pace": "The account sends no more emails a minute.",
  "attempt.daily-limit": "The account has sent as many emails as it may in 24 hours.",
  "attempt.needs-sign-in": "The mail server refused the user name or the password.",
  "attempt.failing": "The mail server can't be used.",
  "attempt.lost": "The connection was lost after the message was handed over.",
  "attempt.channel-deleted": "The channel has been deleted.",
} as const;

/** Why a mailbox cannot be read, and why nothing is sent to an address. */
const accountText = {
  "imap.refused": "The mail server refused the user name or the password. Sign in again.",
  "imap.no-folder": "The folder does not exist on the mail server. Choose another one.",
  "imap.blocked": "The host of the mail server has an address that is not allowed.",
  "imap.no-host": "The host of the mail server has no address. Check its name.",
  "imap.certificate": "The certificate of the mail server is not valid for its host.",
  "imap.away": "The mail server cannot be reached. Frontdesk keeps trying.",
  "recipient.complained": "The recipient has marked an email as spam.",
} as const;

/** What trying an account has shown. */
const checkText = {
  "check.callback": "Mails are received when they're posted to the callback URL.",
  "check.reached": "{host} accepts connections.",
  "check.signed-in": "{host} accepts the user name and the password.",
  "check.signed-in-oauth": "{host} accepts the sign-in.",
  "check.refused": "{host} doesn't accept the user name and the password. Check both, or create an app password.",
  "check.refused-oauth":
    "{host} doesn't accept the sign-in. Check the user name, and whether this mailbox may be used by IMAP and SMTP.",
  "check.folder": 'The folder "{folder}" can be read.',
  "check.no-folder": 'There is no folder "{folder}" at {host}, or it can\'t be opened. Choose another folder.',
  "check.installation": "Replies are sent through this server's own mail server.",
  "check.no-server":
    "This server has no mail server of its own. Enter one that sends, or ask the operator to set SMTP_URL.",
  "check.no-password": "The password for {host} is missing. Enter it.",
  "check.provider-away": "Can't reach {provider} to sign in. Try again later.",
  "check.some-provider-away": "Can't reach the provider to sign in. Try again later.",
  "check.app": "The app was refused. Check its client ID and secret.",
  "check.app-says": "The app was refused. Check its client ID and secret. It says: {words}",
  "check.service": "The app was refused. Check its details, and what an administrator has allowed it to do.",
  "check.service-says":
    "The app was refused. Check its details, and what an administrator has allowed it to do. It says: {words}",
  "check.sign-in": "Sign in to {provider} to connect this mailbox.",
  "check.sign-in-says": "Sign in to {provider} to connect this mailbox. It says: {words}",
  "check.sign-in-somewhere": "Sign in to the provider to connect this mailbox.",
  "check.sign-in-somewhere-says": "Sign in to the provider to connect this mailbox. It says: {words}",
} as const;

/** Why a server cannot be connected to. `code` is the system's or the library's, never the server's. */
const connectionText = {
  "connection.private":
    "{host} is in a private network. The operator of this server can allow it with CHANNEL_ALLOWED_NETWORKS.",
  "connection.unencrypted": "{host} can't be reached without encryption. Choose TLS or STARTTLS.",
  "connection.no-address": "The name {host} has no address. Check how it's spelled.",
  "connection.timeout":
    "{host} didn't answer on port {port} in time. Check the host, the port and the kind of encryption.",
  "connection.refused": "{host} refuses connections on port {port}. Check the host and the port.",
  "connection.certificate":
    "The certificate of {host} isn't trusted ({code}). Check the host, or have its certificate renewed.",
  "connection.no-starttls": "{host} doesn't offer STARTTLS on port {port}. Choose TLS, or another port.",
  "connection.no-tls":
    "{host} doesn't answer with TLS on port {port}. Choose the other kind of encryption, or another port.",
  "connection.failed": "Can't connect to {host} on port {port}. Check the host, the port and the kind of encryption.",
  "connection.failed-code":
    "Can't connect to {host} on port {port} ({code}). Check the host, the port and the kind of encryption.",
} as const;

/** What the DNS says of the domain of a mailbox. */
const domainText = {
  "dns.no-domain": "There is no domain {domain}. Check the address.",
  "dns.no-answer": "The name servers gave no answer for {domain}. Try again later.",
  "dns.mx": "Email for {domain} goes to {host}.",
  "dns.mx-none": "{domain} has no MX record, so no email reaches it. Add one that names your mail server.",
  "dns.mx-nowhere": "The MX record of {domain} says that it takes no email. Replace it with your mail server.",
  "dns.spf": "{domain} has an SPF record.",
  "dns.spf-none":
    "{domain} has no SPF record, so your emails may be taken for spam. Add the TXT record that your provider gives you, such as v=spf1 include:… -all.",
  "dns.spf-several": "{domain} has more than one SPF record, so none counts. Put their parts into one.",
  "dns.spf-unreadable": "The SPF record of {domain} has a part that no one understands: {part}. Correct or remove it.",
  "dns.spf-missing":
    "The SPF record of {domain} refers to {part}, which has no SPF record of its own, so none counts. Remove that part.",
  "dns.spf-lookups":
    "The SPF record of {domain} needs more than {max} lookups, so it doesn't count. Remove providers that you don't use.",
  "dns.spf-everyone":
    "The SPF record of {domain} lets anyone send in its name. End it with -all or ~all instead of +all.",
  "dns.spf-host": "The SPF record of {domain} doesn't allow {host} to send. Add {part} to it.",
  "dns.dmarc": "{domain} has a DMARC record with the policy {policy}.",
  "dns.dmarc-none":
    "{domain} has no DMARC record, and large providers take less email without one. Add a TXT record at {record}, such as v=DMARC1; p=none.",
  "dns.dmarc-several": "There is more than one DMARC record at {record}, so none counts. Keep one.",
  "dns.dmarc-invalid":
    "The DMARC record at {record} has no valid policy. Add p=none, p=quarantine or p=reject after v=DMARC1.",
} as const;

/** What can be said of a message and its recipients. */
const deliveryReasonText = { ...sendingText, ...attemptText } as const;

export const channelReasonText = {
  ...deliveryReasonText,
  ...accountText,
  ...checkText,
  ...connectionText,
  ...domainText,
} as const;

export type ChannelReasonName = keyof typeof channelReasonText;
export type DeliveryReasonName = keyof typeof deliveryReasonText;
/** The word that an attempt is logged with. */
export type AttemptProblem = keyof typeof attemptText extends `attempt.${infer Word}` ? Word : never;

type Places<Name extends ChannelReasonName> = PlacesOf<(typeof channelReasonText)[Name]>;
/** Numbers are written as the reader's language writes them; what is no quantity, such as a port, is a string. */
type ValuesOf<Name extends ChannelReasonName> = { readonly [Place in Places<Name>]: string | number };

/** A reason with its values; made by `channelReason` alone. */
export interface ChannelReason<Name extends ChannelReasonName = ChannelReasonName> {
  readonly name: Name;
  readonly values?: PlaceValues;
}

/** `channelReason("imap.away")`, `channelReason("check.reached", { host })` */
export function channelReason<Name extends ChannelReasonName>(
  name: Name,
  ...[values]: [Places<Name>] extends [never] ? [] : [values: ValuesOf<Name>]
): ChannelReason<Name> {
  return values === undefined ? { name } : { name, values };
}

/** The reason that an attempt is logged with; undefined for a word that is not known. */
export function attemptReason(word: string): ChannelReason<DeliveryReasonName> | undefined {
  const name = `attempt.${word}`;
  return Object.hasOwn(attemptText, name) ? { name: name as keyof typeof attemptText } : undefined;
}

/** The sentence of a reason, in English. */
export function channelSentence({ name, values = {} }: ChannelReason): string {
  return fillPlaces(channelReasonText[name], values);
}

/** A reason that was stored, or sent by another version; undefined when it is not known here, or lacks a value. */
export function knownChannelReason(given: unknown): ChannelReason | undefined {
  const { name, values = {} } = (given ?? {}) as { name?: unknown; values?: unknown };
  if (typeof name !== "string" || !Object.hasOwn(channelReasonText, name)) return undefined;
  const places = placesIn(channelReasonText[name as ChannelReasonName]);
  if (typeof values !== "object" || values === null) return undefined;
  const filled = places.flatMap((place) => {
    const value = (values as Record<string, unknown>)[place];
    return typeof value === "string" || typeof value === "number" ? [[place, value] as const] : [];
  });
  if (filled.length < new Set(places).size) return undefined;
  return { name: name as ChannelReasonName, ...(places.length > 0 && { values: Object.fromEntries(filled) }) };
}
