/** What the settings of channels show besides the REST API: the servers of a mailbox. Below `/app/api`, for admins. */
import { sessionOperations } from "@frontdesk/core/contract/session";
import { problemsOf } from "@frontdesk/testing/ajv";
import { type DnsAnswer, startDnsServer } from "@frontdesk/testing/dns-server";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { afterAll, expect, test } from "vitest";
import { mailRecordsLookup } from "../../outbound/mail-records.ts";

const zone: Record<string, DnsAnswer> = {
  "MX workspace.test": ["1 aspmx.l.google.com"],
  "SRV _imaps._tcp.own.test": ["0 1 993 mail.own.test"],
  "SRV _submission._tcp.own.test": ["0 1 587 mail.own.test"],
};
const dns = await startDnsServer((name, type) => zone[`${type} ${name}`] ?? "unknown");
afterAll(() => dns.close());
const kit = await startTestApp({}, { mailRecords: mailRecordsLookup([dns.address]) });
const acme = await kit.team();
const abe = await signedIn(kit, acme, "CHAT_AGENT_ADMIN");

const found = async (address: string) => {
  const { status, body } = await abe.post("/channels/mail-servers", { address });
  expect([status, problemsOf(sessionOperations.findMailServers.responses[200].body, body)]).toEqual([200, []]);
  return body;
};

test("a provider's address needs no name server, and says what password it takes", async () => {
  expect(await found("Support.Acme@Gmail.com")).toEqual({
    ...{ provider: "Gmail", is_known: true, sign_in: "app-password", imap_is_off: false },
    inbound: { host: "imap.gmail.com", port: 993, security: "tls" },
    outbound: { host: "smtp.gmail.com", port: 465, security: "tls" },
    app_password_url: "https://myaccount.google.com/apppasswords",
    oauth: "google",
  });
  expect(await found("support@outlook.com")).toMatchObject({
    ...{ provider: "Outlook.com", sign_in: "none", oauth: "microsoft" },
  });
  expect(dns.asked).toEqual([]);
});

test("the DNS says who has the mailboxes of a domain, or that it has them itself", async () => {
  expect(await found("support@workspace.test")).toMatchObject({
    provider: "Google Workspace",
    sign_in: "app-password",
  });
  expect(await found("support@own.test")).toMatchObject({
    ...{ provider: null, is_known: true, sign_in: "password", app_password_url: null },
    inbound: { host: "mail.own.test", port: 993, security: "tls" },
    outbound: { host: "mail.own.test", port: 587, security: "starttls" },
  });
});

test("what nothing says is guessed", async () => {
  expect(await found("support@buecher.test")).toMatchObject({
    ...{ provider: null, is_known: false },
    inbound: { host: "imap.buecher.test", port: 993, security: "tls" },
  });
});

test("an address is required, and one that names this machine's networks is not looked up", async () => {
  const { status, body } = await abe.post("/channels/mail-servers", { address: "support" });
  expect([status, Object.keys(body.errors)]).toEqual([422, ["address"]]);
  const before = dns.asked.length;
  expect(await found("support@office.local")).toMatchObject({ is_known: false });
  expect(dns.asked).toHaveLength(before);
});

test("members may not", async () => {
  const mia = await signedIn(kit, acme, "CHAT_AGENT_MEMBER");
  expect((await mia.post("/channels/mail-servers", { address: "support@own.test" })).status).toBe(403);
});
