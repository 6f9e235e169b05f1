/** What the DNS of a mailbox's domain lacks, by a real name server (reference: B41). */
import { type DomainZone, startDnsmasq } from "@frontdesk/testing/dnsmasq";
import { afterAll, expect, test } from "vitest";
import { presentFinding } from "../channels/check-channel.ts";
import { domainRecords } from "../outbound/domain-records.ts";
import { checkMailDomain } from "./check-mail-domain.ts";

const SPF = "v=spf1 include:_spf.google.com -all";
/** As it should be, but for what is given. */
const zone = (domain: string, spf: readonly string[] = [SPF], dmarc: readonly string[] = ["v=DMARC1; p=none"]) =>
  [domain, { mx: [`mx.${domain}`], txt: { [domain]: spf, [`_dmarc.${domain}`]: dmarc } }] as [string, DomainZone];

const chain = Array.from({ length: 12 }, (_none, index) => {
  const next = `chain${index + 1}.com`;
  return [`chain${index}.com`, { txt: { [`chain${index}.com`]: [`v=spf1 include:${next} -all`] } }] as const;
});
const google: readonly [string, DomainZone] = [
  "_spf.google.com",
  { txt: { "_spf.google.com": ["v=spf1 ip4:192.0.2.0/24 ~all"] } },
];
const dns = await startDnsmasq(
  Object.fromEntries<DomainZone>([
    zone("good.com"),
    ["no-mx.com", { txt: { "no-mx.com": [SPF], "_dmarc.no-mx.com": ["v=DMARC1; p=reject"] } }],
    zone("no-spf.com", []),
    zone("two-spf.com", [SPF, "v=spf1 -all"]),
    zone("long-spf.com", ["v=spf1 include:chain0.com -all"]),
    zone("open-spf.com", ["v=spf1 +all"]),
    zone("odd-spf.com", ["v=spf1 includes:_spf.google.com -all"]),
    zone("lost-spf.com", ["v=spf1 include:nowhere.com -all"]),
    zone("other-spf.com", ["v=spf1 ip4:192.0.2.1 -all"]),
    zone("no-dmarc.com", [SPF], []),
    zone("two-dmarc.com", [SPF], ["v=DMARC1; p=none", "v=DMARC1; p=reject"]),
    zone("odd-dmarc.com", [SPF], ["v=DMARC1; rua=mailto:a@odd-dmarc.com"]),
    ["mail.good.com", { mx: ["mx.good.com"], txt: { "mail.good.com": [SPF] } }],
    google,
    ...chain,
  ]),
);
afterAll(() => dns.stop());
const records = domainRecords([dns.server]);
const check = (domain: string) => checkMailDomain(records, domain, "smtp.gmail.com");
const wrong = async (domain: string) => (await check(domain)).filter(({ ok }) => !ok).map(presentFinding);

test("a domain that is set up passes, also one below it", async () => {
  for (const domain of ["good.com", "mail.good.com"]) {
    const findings = await check(domain);
    expect(findings.map(({ check: name, ok }) => [name, ok])).toEqual([
      ["dns-mx", true],
      ["dns-spf", true],
      ["dns-dmarc", true],
    ]);
    expect(findings.map(presentFinding)[0]?.message).toBe(`Email for ${domain} goes to mx.good.com.`);
  }
});

test.each([
  ["no-mx.com", "dns-mx", /no MX record/],
  ["no-spf.com", "dns-spf", /no SPF record/],
  ["two-spf.com", "dns-spf", /more than one SPF record/],
  ["long-spf.com", "dns-spf", /more than 10 lookups/],
  ["open-spf.com", "dns-spf", /lets anyone send/],
  ["odd-spf.com", "dns-spf", /includes:_spf\.google\.com/],
  ["lost-spf.com", "dns-spf", /refers to nowhere\.com/],
  ["other-spf.com", "dns-spf", /doesn't allow smtp\.gmail\.com.*include:_spf\.google\.com/],
  ["no-dmarc.com", "dns-dmarc", /no DMARC record/],
  ["two-dmarc.com", "dns-dmarc", /more than one DMARC record/],
  ["odd-dmarc.com", "dns-dmarc", /no valid policy/],
  ["missing.com", "dns-mx", /no domain missing\.com/],
])("%s has one finding, which says what to do", async (domain, name, words) => {
  expect(await wrong(domain)).toEqual([{ check: name, ok: false, message: expect.stringMatching(words) }]);
});

test("a domain whose MX says that it takes no mail is named", async () => {
  const none = { mx: async () => [""], txt: records.txt };
  const [first] = await checkMailDomain(none, "good.com", null);
  expect(first && presentFinding(first).message).toMatch(/takes no email/);
});

test("name servers that do not answer are no fault of the domain", async () => {
  const findings = await checkMailDomain(domainRecords(["127.0.0.1:1"]), "good.com", null);
  expect(findings.map((each) => presentFinding(each).message)).toEqual(
    Array.from({ length: 3 }, () => "The name servers gave no answer for good.com. Try again later."),
  );
});
