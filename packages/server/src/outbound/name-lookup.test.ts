/** Against a name server of the test's own. */

import { type DnsAnswer, type RecordType, startDnsServer } from "@frontdesk/testing/dns-server";
import { expect, onTestFinished, test } from "vitest";
import { nameLookup } from "./name-lookup.ts";

async function dnsServer(answer: (name: string, type: RecordType) => DnsAnswer) {
  const server = await startDnsServer(answer);
  onTestFinished(() => server.close());
  return server;
}

test("a name has all its addresses, those of IPv4 in front", async () => {
  const { address } = await dnsServer(() => ["2606:4700::1", "192.0.2.1", "2606:4700::2", "192.0.2.2"]);
  const addresses = await nameLookup({ own: false, servers: [address] })("receiver.test");
  expect(addresses).toHaveLength(4);
  expect(addresses.slice(0, 2).toSorted()).toEqual(["192.0.2.1", "192.0.2.2"]);
  expect(addresses.slice(2).toSorted()).toEqual(["2606:4700::1", "2606:4700::2"]);
});

test("one family is enough", async () => {
  const { address } = await dnsServer((name) => (name.startsWith("four") ? ["192.0.2.1"] : ["2606:4700::1"]));
  const lookup = nameLookup({ own: false, servers: [address] });
  expect(await lookup("four.receiver.test")).toEqual(["192.0.2.1"]);
  expect(await lookup("six.receiver.test")).toEqual(["2606:4700::1"]);
});

test("exactly the name is looked up, each time again; search domains never apply", async () => {
  const before = process.env.LOCALDOMAIN;
  process.env.LOCALDOMAIN = "evil.test";
  onTestFinished(() => {
    if (before === undefined) delete process.env.LOCALDOMAIN;
    else process.env.LOCALDOMAIN = before;
  });
  const { address, asked } = await dnsServer((name) => (name.endsWith("evil.test") ? ["10.0.0.1"] : "unknown"));
  const lookup = nameLookup({ own: false, servers: [address] });
  await expect(lookup("hooks.receiver.test")).rejects.toMatchObject({ code: "ENOTFOUND" });
  await expect(lookup("hooks.receiver.test")).rejects.toMatchObject({ code: "ENOTFOUND" });
  expect(asked.toSorted()).toEqual([
    ...["A hooks.receiver.test", "A hooks.receiver.test"],
    ...["AAAA hooks.receiver.test", "AAAA hooks.receiver.test"],
  ]);
});

test.each<[string, DnsAnswer, string]>([
  ["that does not exist", "unknown", "ENOTFOUND"],
  ["without addresses", [], "ENODATA"],
  ["whose name server is broken", "broken", "ESERVFAIL"],
  ["whose name server is silent", "silent", "ETIMEOUT"],
])("a name %s has no address", async (_which, answer, code) => {
  const { address } = await dnsServer(() => answer);
  await expect(nameLookup({ own: false, servers: [address] })("receiver.test")).rejects.toMatchObject({ code });
});

test("a name server that never answers for IPv6 delays no request: it is not even asked again", async () => {
  const { address, asked } = await dnsServer((_name, type) => (type === "A" ? ["192.0.2.1"] : "silent"));
  expect(await nameLookup({ own: false, servers: [address] })("receiver.test")).toEqual(["192.0.2.1"]);
  expect(asked.filter((question) => question.startsWith("AAAA"))).toHaveLength(1);
});

test("the names that only this machine knows are looked up when own networks are allowed, and only then", async () => {
  const { address, asked } = await dnsServer(() => "unknown");
  const [own, foreign] = [true, false].map((own) => nameLookup({ own, servers: [address] }));
  // Every machine has this name in its hosts file, and there must be no DNS query for it.
  expect(await own?.("localhost")).toContain("127.0.0.1");
  expect(asked).toEqual([]);
  await expect(foreign?.("localhost")).rejects.toMatchObject({ code: "ENOTFOUND" });
  expect(asked).toContain("A localhost");
});
