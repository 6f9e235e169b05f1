/** What the DNS says of a domain's mail, by a name server of the test's own. */
import { type DnsAnswer, startDnsServer } from "@frontdesk/testing/dns-server";
import { expect, onTestFinished, test } from "vitest";
import { mailRecordsLookup } from "./mail-records.ts";

const services = ["imaps", "submission"] as const;
const hosts = ["imap.acme.test", "mail.acme.test"];

async function lookUp(zone: Readonly<Record<string, DnsAnswer>>, rest: DnsAnswer = "unknown") {
  const server = await startDnsServer((name, type) => zone[`${type} ${name}`] ?? rest);
  onTestFinished(() => server.close());
  const found = await mailRecordsLookup([server.address])("acme.test", { services, hosts });
  return { found, asked: server.asked };
}

test("exchangers are in their order, services are the best of each, and hosts those with an address", async () => {
  const { found } = await lookUp({
    "MX acme.test": ["20 backup.acme.test", "10 MX.Acme.Test"],
    "SRV _imaps._tcp.acme.test": ["10 5 993 second.acme.test", "0 1 993 weak.acme.test", "0 9 1993 Imap.Acme.Test"],
    "SRV _submission._tcp.acme.test": ["0 0 0 ."],
    "A mail.acme.test": ["192.0.2.1"],
    "AAAA imap.acme.test": ["2606:4700::1"],
  });
  expect(found).toEqual({
    mx: ["mx.acme.test", "backup.acme.test"],
    srv: { imaps: { host: "imap.acme.test", port: 1993 } },
    hosts: ["imap.acme.test", "mail.acme.test"],
  });
});

test("a domain that takes no mail has no exchanger", async () => {
  expect((await lookUp({ "MX acme.test": ["0 ."] })).found.mx).toEqual([]);
});

test.each<[DnsAnswer]>([["unknown"], ["broken"], [[]]])(
  "name servers that answer %j are as those that know nothing",
  async (rest) => {
    expect((await lookUp({}, rest)).found).toEqual({ mx: [], srv: {}, hosts: [] });
  },
);

test("silence ends in seconds, and what was answered counts", async () => {
  const { found } = await lookUp({ "MX acme.test": ["10 mx.acme.test"] }, "silent");
  expect(found).toEqual({ mx: ["mx.acme.test"], srv: {}, hosts: [] });
});

test("names of this machine and of its networks are not asked for", async () => {
  const server = await startDnsServer(() => "broken");
  onTestFinished(() => server.close());
  const look = mailRecordsLookup([server.address]);
  for (const domain of ["localhost", "office.local", "mail.internal"]) {
    expect(await look(domain, { services, hosts })).toEqual({ mx: [], srv: {}, hosts: [] });
  }
  expect(server.asked).toEqual([]);
});
