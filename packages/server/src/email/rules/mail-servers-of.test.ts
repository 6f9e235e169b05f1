/** Where a mailbox is, by its domain and the DNS (RFC 6186 and 8314). */
import { expect, test } from "vitest";
import { channelHosts } from "../../outbound/channel-hosts.ts";
import { mailProviders, providerOfDomain, providerOfMx } from "./mail-providers.ts";
import { guessedHosts, knownMailServers, type MailRecords, mailServersOf } from "./mail-servers-of.ts";

const NOTHING: MailRecords = { mx: [], srv: {}, hosts: [] };
const shown = (domain: string, records: Partial<MailRecords> = {}) => {
  const { provider, isKnown, inbound, outbound } = mailServersOf(domain, { ...NOTHING, ...records });
  const written = ({ host, port, security }: typeof inbound) => `${host}:${port} ${security}`;
  return { provider: provider?.name, isKnown, inbound: written(inbound), outbound: written(outbound) };
};

test.each([
  ["gmail.com", "Gmail", "imap.gmail.com:993 tls", "smtp.gmail.com:465 tls", "app-password"],
  ["hotmail.co.uk", "Outlook.com", "outlook.office365.com:993 tls", "smtp-mail.outlook.com:587 starttls", "none"],
  ["yahoo.fr", "Yahoo Mail", "imap.mail.yahoo.com:993 tls", "smtp.mail.yahoo.com:465 tls", "app-password"],
  ["me.com", "iCloud Mail", "imap.mail.me.com:993 tls", "smtp.mail.me.com:587 starttls", "app-password"],
  ["fastmail.com", "Fastmail", "imap.fastmail.com:993 tls", "smtp.fastmail.com:465 tls", "app-password"],
  ["gmx.de", "GMX", "imap.gmx.net:993 tls", "mail.gmx.net:465 tls", "password"],
  ["web.de", "WEB.DE", "imap.web.de:993 tls", "smtp.web.de:587 starttls", "password"],
  ["mailbox.org", "mailbox.org", "imap.mailbox.org:993 tls", "smtp.mailbox.org:465 tls", "password"],
  ["yandex.ru", "Yandex Mail", "imap.yandex.com:993 tls", "smtp.yandex.com:465 tls", "app-password"],
])("an address at %s is one of %s, whatever the DNS says", (domain, provider, inbound, outbound, signIn) => {
  const forged = { mx: ["mx.mallory.example"], srv: { imaps: { host: "imap.mallory.example", port: 993 } } };
  expect(shown(domain, forged)).toEqual({ provider, isKnown: true, inbound, outbound });
  expect(knownMailServers(domain)?.provider?.signIn).toBe(signIn);
});

test.each([
  ["aspmx.l.google.com", "Google Workspace", "imap.gmail.com:993 tls"],
  ["smtp.google.com", "Google Workspace", "imap.gmail.com:993 tls"],
  ["acme-example.mail.protection.outlook.com", "Microsoft 365", "outlook.office365.com:993 tls"],
  ["mx.zoho.eu", "Zoho Mail", "imappro.zoho.eu:993 tls"],
  ["mx00.ionos.de", "IONOS", "imap.ionos.de:993 tls"],
  ["mx01.kundenserver.de", "IONOS", "imap.ionos.de:993 tls"],
  ["mx1.mail.ovh.net", "OVHcloud", "ssl0.ovh.net:993 tls"],
])("a domain whose mail %s takes is a customer of %s", (exchanger, provider, inbound) => {
  expect(shown("acme.example", { mx: [exchanger, "mx.backup.example"] })).toMatchObject({ provider, inbound });
});

test("only the first exchanger says where the mailboxes are, and only a whole name is a provider's", () => {
  expect(providerOfMx(["mx.acme.example", "aspmx.l.google.com"])).toBeUndefined();
  expect(providerOfMx(["mx.notgoogle.com"])).toBeUndefined();
  expect(providerOfMx(["google.com.mallory.example"])).toBeUndefined();
  expect(providerOfMx([])).toBeUndefined();
  expect(providerOfDomain("mail.gmail.com")).toBeUndefined();
});

test("a domain says itself where its services are; TLS from the first byte is preferred", () => {
  const srv = {
    imap: { host: "old.acme.example", port: 143 },
    imaps: { host: "mail.acme.example", port: 1993 },
    submission: { host: "mail.acme.example", port: 587 },
  };
  expect(shown("acme.example", { srv, mx: ["aspmx.l.google.com"] })).toEqual({
    ...{ provider: undefined, isKnown: true },
    ...{ inbound: "mail.acme.example:1993 tls", outbound: "mail.acme.example:587 starttls" },
  });
  const { imaps: _, ...older } = srv;
  expect(shown("acme.example", { srv: older }).inbound).toBe("old.acme.example:143 starttls");
});

test("services at a known provider have what is known of it", () => {
  const srv = { imaps: { host: "imap.fastmail.com", port: 993 } };
  const found = mailServersOf("acme.example", { ...NOTHING, srv });
  expect(found.provider?.signIn).toBe("app-password");
  expect(found.outbound.host).toBe("smtp.fastmail.com");
});

test("a service for sending alone is used, and the mailbox is guessed", () => {
  const srv = { submissions: { host: "out.acme.example", port: 465 } };
  expect(shown("acme.example", { srv })).toEqual({
    ...{ provider: undefined, isKnown: false },
    ...{ inbound: "imap.acme.example:993 tls", outbound: "out.acme.example:465 tls" },
  });
});

test.each<[string, Partial<MailRecords>, string, string]>([
  ["the usual names when nothing is known", {}, "imap.acme.example", "smtp.acme.example"],
  ["a common name for both that exists", { hosts: ["mail.acme.example"] }, "mail.acme.example", "mail.acme.example"],
  [
    "their own names, where they exist",
    { hosts: ["imap.acme.example", "mail.acme.example"] },
    "imap.acme.example",
    "mail.acme.example",
  ],
  [
    "where the mail is taken, when no name exists",
    { mx: ["box.acme.example"] },
    "box.acme.example",
    "box.acme.example",
  ],
])("a guess is %s", (_what, records, inbound, outbound) => {
  expect(shown("acme.example", records)).toEqual({
    ...{ provider: undefined, isKnown: false, inbound: `${inbound}:993 tls`, outbound: `${outbound}:465 tls` },
  });
});

test("the table has no domain and no exchanger twice, and every host in it can be saved", () => {
  const hosts = channelHosts([]);
  for (const names of [mailProviders.flatMap(({ domains }) => domains), mailProviders.flatMap(({ mx }) => mx)]) {
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(names.filter((name) => name !== name.toLowerCase())).toEqual([]);
  }
  for (const { inbound, outbound, appPasswordUrl } of mailProviders) {
    for (const { host, port, security } of [inbound, outbound]) {
      expect([host, hosts.problemOf(host)]).toEqual([host, undefined]);
      expect([host, port === 587 ? "starttls" : "tls"]).toEqual([host, security]);
    }
    if (appPasswordUrl) expect(appPasswordUrl).toMatch(/^https:\/\//);
  }
  expect(guessedHosts("acme.example").every((host) => hosts.problemOf(host) === undefined)).toBe(true);
});
