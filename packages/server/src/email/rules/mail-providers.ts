import type { mailSignIns } from "@frontdesk/core/contract/session-channels";
import type { MailServer } from "../email-settings.ts";

/**
 * A provider of mailboxes. Its facts are those of its own help pages, as of November 2026.
 *
 * Passwords: Google, Apple, Yahoo, AOL, Fastmail, Yandex, Mail.ru, T-Online and Tencent take only one that was created for a
 * program; Microsoft and Proton take none by IMAP.
 */
export interface MailProvider {
  name: string;
  /** The domains of its own addresses. */
  domains: readonly string[];
  /** The ends of its mail exchangers, by which customers with their own domain are known. */
  mx: readonly string[];
  inbound: MailServer;
  outbound: MailServer;
  signIn: (typeof mailSignIns)[number];
  /** IMAP has to be switched on first. */
  imapIsOff?: true;
  appPasswordUrl?: string;
  /** Whose app a mailbox can be signed in to with. */
  oauth?: "google" | "microsoft";
}

const imaps = (host: string): MailServer => ({ host, port: 993, security: "tls" });
const smtps = (host: string): MailServer => ({ host, port: 465, security: "tls" });
const submission = (host: string): MailServer => ({ host, port: 587, security: "starttls" });

const password = { signIn: "password" } as const;
const appPassword = (appPasswordUrl?: string) =>
  ({ signIn: "app-password", ...(appPasswordUrl && { appPasswordUrl }) }) as const;

/** Zoho has a data center for each region, each with hosts of its own; those of companies are others than those of persons. */
const zoho = (top: string): MailProvider => ({
  ...{ name: "Zoho Mail", domains: [], mx: [`zoho.${top}`] },
  ...{ inbound: imaps(`imappro.zoho.${top}`), outbound: smtps(`smtppro.zoho.${top}`) },
  ...{ ...password, imapIsOff: true },
});

const GOOGLE = {
  inbound: imaps("imap.gmail.com"),
  outbound: smtps("smtp.gmail.com"),
  ...appPassword("https://myaccount.google.com/apppasswords"),
  oauth: "google",
} as const;

const MICROSOFT = {
  inbound: imaps("outlook.office365.com"),
  outbound: submission("smtp.office365.com"),
  signIn: "none",
  oauth: "microsoft",
} as const;

export const mailProviders: readonly MailProvider[] = [
  { name: "Gmail", domains: ["gmail.com", "googlemail.com"], mx: [], ...GOOGLE },
  { name: "Google Workspace", domains: [], mx: ["google.com", "googlemail.com"], ...GOOGLE },
  { name: "Microsoft 365", domains: [], mx: ["mail.protection.outlook.com", "mx.microsoft"], ...MICROSOFT },
  {
    ...{ name: "Outlook.com", domains: personal("outlook", "hotmail", "live").concat("msn.com"), mx: [] },
    ...{ ...MICROSOFT, outbound: submission("smtp-mail.outlook.com") },
  },
  {
    ...{ name: "Yahoo Mail", domains: personal("yahoo").concat("ymail.com", "rocketmail.com"), mx: ["yahoodns.net"] },
    ...{ inbound: imaps("imap.mail.yahoo.com"), outbound: smtps("smtp.mail.yahoo.com") },
    ...appPassword("https://login.yahoo.com/account/security"),
  },
  {
    ...{ name: "AOL", domains: ["aol.com", "aol.de", "aim.com"], mx: [] },
    ...{ inbound: imaps("imap.aol.com"), outbound: smtps("smtp.aol.com") },
    ...appPassword("https://login.aol.com/account/security"),
  },
  {
    ...{ name: "iCloud Mail", domains: ["icloud.com", "me.com", "mac.com"], mx: ["mail.icloud.com"] },
    ...{ inbound: imaps("imap.mail.me.com"), outbound: submission("smtp.mail.me.com") },
    ...appPassword("https://account.apple.com/account/manage"),
  },
  {
    ...{ name: "Fastmail", domains: ["fastmail.com", "fastmail.fm"], mx: ["messagingengine.com"] },
    ...{ inbound: imaps("imap.fastmail.com"), outbound: smtps("smtp.fastmail.com") },
    ...appPassword("https://app.fastmail.com/settings/security/apps"),
  },
  {
    ...{ name: "Proton Mail", domains: ["proton.me", "protonmail.com", "pm.me"], mx: ["protonmail.ch"] },
    // Its IMAP is a program on the customer's own machine.
    ...{ inbound: imaps("imap.proton.me"), outbound: submission("smtp.protonmail.ch"), signIn: "none" },
  },
  {
    ...{ name: "GMX", domains: ["gmx.de", "gmx.net", "gmx.at", "gmx.ch", "gmx.eu"], mx: ["gmx.net"] },
    ...{ inbound: imaps("imap.gmx.net"), outbound: smtps("mail.gmx.net"), ...password, imapIsOff: true },
  },
  {
    ...{ name: "GMX", domains: ["gmx.com", "gmx.us", "gmx.co.uk"], mx: [] },
    ...{ inbound: imaps("imap.gmx.com"), outbound: smtps("mail.gmx.com"), ...password, imapIsOff: true },
  },
  {
    ...{ name: "mail.com", domains: ["mail.com", "email.com"], mx: ["mail.com"] },
    ...{ inbound: imaps("imap.mail.com"), outbound: smtps("smtp.mail.com"), ...password, imapIsOff: true },
  },
  {
    ...{ name: "WEB.DE", domains: ["web.de"], mx: ["web.de"] },
    ...{ inbound: imaps("imap.web.de"), outbound: submission("smtp.web.de"), ...password, imapIsOff: true },
  },
  {
    ...{ name: "T-Online", domains: ["t-online.de", "magenta.de"], mx: ["t-online.de"] },
    ...{ inbound: imaps("secureimap.t-online.de"), outbound: smtps("securesmtp.t-online.de") },
    ...appPassword(),
  },
  {
    ...{ name: "Posteo", domains: ["posteo.de", "posteo.net"], mx: ["posteo.de"] },
    ...{ inbound: imaps("posteo.de"), outbound: smtps("posteo.de"), ...password },
  },
  {
    ...{ name: "mailbox.org", domains: ["mailbox.org"], mx: ["mailbox.org"] },
    ...{ inbound: imaps("imap.mailbox.org"), outbound: smtps("smtp.mailbox.org"), ...password },
  },
  {
    ...{ name: "IONOS", domains: ["online.de", "onlinehome.de"], mx: ["ionos.de", "kundenserver.de"] },
    ...{ inbound: imaps("imap.ionos.de"), outbound: smtps("smtp.ionos.de"), ...password },
  },
  {
    ...{ name: "IONOS", domains: [], mx: ["ionos.com", "perfora.net"] },
    ...{ inbound: imaps("imap.ionos.com"), outbound: smtps("smtp.ionos.com"), ...password },
  },
  {
    ...{ name: "IONOS", domains: [], mx: ["ionos.co.uk"] },
    ...{ inbound: imaps("imap.ionos.co.uk"), outbound: smtps("smtp.ionos.co.uk"), ...password },
  },
  {
    ...{ name: "IONOS", domains: [], mx: ["ionos.fr"] },
    ...{ inbound: imaps("imap.ionos.fr"), outbound: smtps("smtp.ionos.fr"), ...password },
  },
  {
    ...{ name: "IONOS", domains: [], mx: ["ionos.es"] },
    ...{ inbound: imaps("imap.ionos.es"), outbound: smtps("smtp.ionos.es"), ...password },
  },
  {
    ...{ name: "STRATO", domains: [], mx: ["rzone.de"] },
    ...{ inbound: imaps("imap.strato.de"), outbound: smtps("smtp.strato.de"), ...password },
  },
  {
    ...{ name: "OVHcloud", domains: [], mx: ["mail.ovh.net"] },
    ...{ inbound: imaps("ssl0.ovh.net"), outbound: smtps("ssl0.ovh.net"), ...password },
  },
  {
    ...{ name: "Gandi", domains: [], mx: ["mail.gandi.net"] },
    ...{ inbound: imaps("mail.gandi.net"), outbound: smtps("mail.gandi.net"), ...password },
  },
  {
    ...{ name: "Infomaniak", domains: ["ik.me", "ikmail.com"], mx: ["infomaniak.ch"] },
    ...{ inbound: imaps("mail.infomaniak.com"), outbound: smtps("mail.infomaniak.com"), ...password },
  },
  {
    ...{ name: "Migadu", domains: [], mx: ["migadu.com"] },
    ...{ inbound: imaps("imap.migadu.com"), outbound: smtps("smtp.migadu.com"), ...password },
  },
  {
    ...{ name: "Hostinger", domains: [], mx: ["hostinger.com"] },
    ...{ inbound: imaps("imap.hostinger.com"), outbound: smtps("smtp.hostinger.com"), ...password },
  },
  {
    ...{ name: "Titan", domains: [], mx: ["titan.email"] },
    ...{ inbound: imaps("imap.titan.email"), outbound: smtps("smtp.titan.email"), ...password },
  },
  {
    ...{ name: "Private Email", domains: [], mx: ["privateemail.com"] },
    ...{ inbound: imaps("mail.privateemail.com"), outbound: smtps("mail.privateemail.com"), ...password },
  },
  {
    ...{ name: "GoDaddy", domains: [], mx: ["secureserver.net"] },
    ...{ inbound: imaps("imap.secureserver.net"), outbound: smtps("smtpout.secureserver.net"), ...password },
  },
  {
    ...{ name: "Rackspace", domains: [], mx: ["emailsrvr.com"] },
    ...{ inbound: imaps("secure.emailsrvr.com"), outbound: smtps("secure.emailsrvr.com"), ...password },
  },
  {
    ...{ name: "Zoho Mail", domains: ["zoho.com", "zohomail.com"], mx: [] },
    ...{ inbound: imaps("imap.zoho.com"), outbound: smtps("smtp.zoho.com"), ...password, imapIsOff: true },
  },
  {
    ...{ name: "Zoho Mail", domains: ["zoho.eu", "zohomail.eu"], mx: [] },
    ...{ inbound: imaps("imap.zoho.eu"), outbound: smtps("smtp.zoho.eu"), ...password, imapIsOff: true },
  },
  ...["com", "eu", "in", "com.au", "jp"].map(zoho),
  {
    ...{ name: "Yandex Mail", domains: ["yandex.com", "yandex.ru", "ya.ru"], mx: ["yandex.net", "yandex.ru"] },
    ...{ inbound: imaps("imap.yandex.com"), outbound: smtps("smtp.yandex.com"), imapIsOff: true },
    ...appPassword("https://id.yandex.com/security/app-passwords"),
  },
  {
    ...{ name: "Mail.ru", domains: ["mail.ru", "inbox.ru", "list.ru", "bk.ru"], mx: ["mail.ru"] },
    ...{ inbound: imaps("imap.mail.ru"), outbound: smtps("smtp.mail.ru") },
    ...appPassword("https://account.mail.ru/user/2-step-auth/passwords"),
  },
  {
    ...{ name: "QQ Mail", domains: ["qq.com", "foxmail.com"], mx: [] },
    ...{ inbound: imaps("imap.qq.com"), outbound: smtps("smtp.qq.com"), imapIsOff: true },
    ...appPassword(),
  },
  {
    ...{ name: "Tencent Exmail", domains: [], mx: ["mxbiz1.qq.com", "mxbiz2.qq.com"] },
    ...{ inbound: imaps("imap.exmail.qq.com"), outbound: smtps("smtp.exmail.qq.com"), imapIsOff: true },
    ...appPassword(),
  },
];

/** The provider of addresses with this domain (lower case). */
export function providerOfDomain(domain: string): MailProvider | undefined {
  return mailProviders.find(({ domains }) => domains.includes(domain));
}

/** The provider that takes mail for a domain with these exchangers; the first of them decides. */
export function providerOfMx(exchangers: readonly string[]): MailProvider | undefined {
  const [first] = exchangers;
  return first === undefined ? undefined : mailProviders.find(({ mx }) => mx.some((end) => isWithin(first, end)));
}

/** The provider whose mailboxes are at this host. */
export function providerOfServer(host: string): MailProvider | undefined {
  return mailProviders.find(({ inbound }) => inbound.host === host);
}

const isWithin = (host: string, end: string): boolean => host === end || host.endsWith(`.${end}`);

/** The addresses of persons, which have a domain for each country. */
function personal(...names: string[]): string[] {
  const tops = [
    "com",
    "de",
    "fr",
    "it",
    "es",
    "nl",
    "be",
    "ie",
    "at",
    "ca",
    "in",
    "co.uk",
    "co.in",
    "com.br",
    "com.mx",
  ];
  return names.flatMap((name) => tops.map((top) => `${name}.${top}`));
}
