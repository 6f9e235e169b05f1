/** What `frontdesk doctor` reports of the domains of mailboxes, by a real name server (reference: B41). */
import { type DomainZone, startDnsmasq } from "@frontdesk/testing/dnsmasq";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { afterAll, expect, test } from "vitest";
import { presentFinding } from "../channels/check-channel.ts";
import { deleteChannel } from "../channels/delete-channel.ts";
import { domainCheck } from "../email/check-mail-domain.ts";
import { domainRecords } from "../outbound/domain-records.ts";
import { checkMailDomains } from "./check-mail-domains.ts";

/** Where no name server is. */
const NO_SERVER = "127.0.0.1:1";
const SPF = "v=spf1 ip4:192.0.2.1 -all";
const zone = (domain: string, txt: Record<string, string[]>): [string, DomainZone] => [
  domain,
  { mx: [`mx.${domain}`], txt },
];
const dns = await startDnsmasq(
  Object.fromEntries([
    zone("good.com", { "good.com": [SPF], "_dmarc.good.com": ["v=DMARC1; p=none"] }),
    zone("bare.com", {}),
  ]),
);
afterAll(() => dns.stop());
const records = domainRecords([dns.server]);
const { app, storage, team } = await startTestApp();
const check = () => checkMailDomains(storage, records);

test("each domain of a mailbox is reported once, with what the channel's own check says of it", async () => {
  const acme = await team();
  const connect = async (address: string, host?: string) => {
    const outbound = host && { host, port: 465, security: "tls", username: address, password: "secret" };
    const settings = { address, inbound: { kind: "http" }, ...(outbound && { outbound }) };
    const { status, body } = await acme.post("/channels", { channel: "email", widget_id: acme.widgetId, settings });
    expect(status).toBe(201);
    return { id: body.data.id as string, settings };
  };
  await connect("support@acme.example");
  await connect("support@desk.internal");
  expect(await check()).toEqual([]);

  await connect("support@good.com");
  const sales = await connect("sales@good.com", "smtp.gmail.com");
  const bare = await connect("support@bare.com");
  const sams = await team();
  const ofSam = { address: "support@sam.good.com", inbound: { kind: "http" } };
  await sams.post("/channels", { channel: "email", widget_id: sams.widgetId, settings: ofSam });
  const checks = await check();
  expect(checks.map(({ name, state }) => [name, state]).toSorted()).toEqual([
    ["DNS of bare.com", "warning"],
    ["DNS of good.com", "warning"],
    ["DNS of sam.good.com", "warning"],
  ]);
  const of = (domain: string) => checks.find(({ name }) => name === `DNS of ${domain}`);
  expect(of("good.com")).toMatchObject({
    says: "The SPF record of good.com doesn't allow smtp.gmail.com to send. Add include:_spf.google.com to it.",
    do: expect.stringContaining("DNS"),
  });
  const account = { team_id: acme.teamId, id: bare.id, provider_key: "", settings: bare.settings, secrets: {} };
  const findings = await domainCheck(records)({ channel: "email", account });
  const wrong = findings.filter(({ ok }) => !ok).map((each) => presentFinding(each).message);
  expect(wrong.length).toBe(2);
  expect(of("bare.com")?.says).toBe(wrong.join("\n"));
  expect(of("sam.good.com")?.says).toContain("There is no domain sam.good.com.");

  await app.perform(acme.actor, deleteChannel, { accountId: sales.id });
  expect((await check()).find(({ name }) => name === "DNS of good.com")).toEqual({
    name: "DNS of good.com",
    state: "ok",
    says: "The records for email (MX, SPF, DMARC) are set up.",
  });
});

test("where the name servers give no answer, nothing has to be changed", async () => {
  const acme = await team();
  const settings = { address: "support@silent.com", inbound: { kind: "http" } };
  await acme.post("/channels", { channel: "email", widget_id: acme.widgetId, settings });
  const checks = await checkMailDomains(storage, domainRecords([NO_SERVER]));
  expect(checks.find(({ name }) => name === "DNS of silent.com")).toEqual({
    name: "DNS of silent.com",
    state: "note",
    says: "The name servers gave no answer for silent.com. Try again later.",
  });
});
