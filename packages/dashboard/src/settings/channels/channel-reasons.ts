/**
 * What the service says of a channel account, in the agent's language: the text of each reason. The compiler requires one for each
 * that is added to `@frontdesk/core/domain/channel-reason`. Its texts are those of "channels" and "delivery".
 */
import type { ErrorReason } from "@frontdesk/core/contract/errors";
import type { ChannelReasonName } from "@frontdesk/core/domain/channel-reason";
import { deliveryReasons, reasonIn } from "../../texts/delivery-reasons.ts";
import type { TextKey } from "../../texts/texts.ts";

export const channelReasons: Record<ChannelReasonName, TextKey> = {
  ...deliveryReasons,
  // In an account's state it stands alone.
  "smtp.says": "channels.says",
  "imap.refused": "channels.why.needs-sign-in",
  "imap.no-folder": "channels.imap.noFolder",
  "imap.blocked": "channels.imap.blocked",
  "imap.no-host": "channels.imap.noHost",
  "imap.certificate": "channels.imap.certificate",
  "imap.away": "channels.imap.away",
  "recipient.complained": "channels.complained",
  "check.callback": "channels.found.callback",
  "check.reached": "channels.found.reached",
  "check.signed-in": "channels.found.signedIn",
  "check.signed-in-oauth": "channels.found.signedInOAuth",
  "check.refused": "channels.found.refused",
  "check.refused-oauth": "channels.found.refusedOAuth",
  "check.folder": "channels.found.folder",
  "check.no-folder": "channels.found.noFolder",
  "check.installation": "channels.found.installation",
  "check.no-server": "channels.found.noServer",
  "check.no-password": "channels.found.noPassword",
  "check.provider-away": "channels.found.providerAway",
  "check.some-provider-away": "channels.found.someProviderAway",
  "check.app": "why.app",
  "check.app-says": "channels.found.appSays",
  "check.service": "why.service",
  "check.service-says": "channels.found.serviceSays",
  "check.sign-in": "channels.found.signIn",
  "check.sign-in-says": "channels.found.signInSays",
  "check.sign-in-somewhere": "channels.found.signInSomewhere",
  "check.sign-in-somewhere-says": "channels.found.signInSomewhereSays",
  "connection.private": "channels.connection.private",
  "connection.unencrypted": "channels.connection.unencrypted",
  "connection.no-address": "channels.connection.noAddress",
  "connection.timeout": "channels.connection.timeout",
  "connection.refused": "channels.connection.refused",
  "connection.certificate": "channels.connection.certificate",
  "connection.no-starttls": "channels.connection.noStarttls",
  "connection.no-tls": "channels.connection.noTls",
  "connection.failed": "channels.connection.failed",
  "connection.failed-code": "channels.connection.failedCode",
  "dns.no-domain": "channels.dns.noDomain",
  "dns.no-answer": "channels.dns.noAnswer",
  "dns.mx": "channels.dns.mx",
  "dns.mx-none": "channels.dns.mxNone",
  "dns.mx-nowhere": "channels.dns.mxNowhere",
  "dns.spf": "channels.dns.spf",
  "dns.spf-none": "channels.dns.spfNone",
  "dns.spf-several": "channels.dns.spfSeveral",
  "dns.spf-unreadable": "channels.dns.spfUnreadable",
  "dns.spf-missing": "channels.dns.spfMissing",
  "dns.spf-lookups": "channels.dns.spfLookups",
  "dns.spf-everyone": "channels.dns.spfEveryone",
  "dns.spf-host": "channels.dns.spfHost",
  "dns.dmarc": "channels.dns.dmarc",
  "dns.dmarc-none": "channels.dns.dmarcNone",
  "dns.dmarc-several": "channels.dns.dmarcSeveral",
  "dns.dmarc-invalid": "channels.dns.dmarcInvalid",
};

/** Undefined for a reason without a text here. */
export const channelReason = (given: ErrorReason | null | undefined): string | undefined =>
  reasonIn(channelReasons, given);

/** A suppressed address has bounced with the words of its server, or its owner has complained. */
export const suppressionReason = (given: ErrorReason | null): string | undefined =>
  reasonIn({ ...channelReasons, "smtp.says": "why.says" }, given);
