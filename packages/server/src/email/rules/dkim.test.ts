import { expect, test } from "vitest";
import type { RecordsAnswer } from "../../outbound/domain-records.ts";
import { dkimSignatures, isAligned, readDkimKey } from "./dkim.ts";
import { mailOf } from "./mail-for-tests.ts";

const signaturesOf = (headers: string) => dkimSignatures(mailOf(headers).headers);

test("signatures are read with their domain and selector, however they are folded", () => {
  const headers = `DKIM-Signature: v=1; a=rsa-sha256; d=Acme.Example;
\ts=2026 .mail; h=from:to;
 bh=abc=; b=d=wrong.example
DKIM-Signature: v=1; d=relay.example; s=s1; b=x`;
  expect(signaturesOf(headers)).toEqual([
    { domain: "acme.example", selector: "2026.mail" },
    { domain: "relay.example", selector: "s1" },
  ]);
});

test.each(["v=1; s=s1", "v=1; d=acme.example", "v=1; d=acme.example/x; s=s1", "v=1; d=acme.example; s=a b*", ""])(
  "%j is no signature",
  (header) => {
    expect(signaturesOf(`DKIM-Signature: ${header}`)).toEqual([]);
  },
);

test("more signatures than servers write are not looked at, and the longest header takes no time", () => {
  expect(signaturesOf("DKIM-Signature: d=a.example; s=s\n".repeat(500))).toHaveLength(10);
  for (const sign of [";", "=", "d=", " ", "d=a.example;"]) {
    dkimSignatures([["dkim-signature", sign.repeat(1_000_000)]]);
  }
});

test.each([
  ["acme.example", "acme.example", true],
  ["acme.example", "mail.acme.example", true],
  ["mail.acme.example", "acme.example", true],
  ["example", "acme.example", false],
  ["other.example", "acme.example", false],
  ["notacme.example", "acme.example", false],
])("a signature of %s for %s: %s", (signer, domain, aligned) => {
  expect(isAligned({ domain: signer }, domain)).toBe(aligned);
});

test.each<[RecordsAnswer, string]>([
  [["v=DKIM1; k=rsa; p=MIGf"], "there"],
  [["k=rsa; p=MIGf"], "there"],
  [["another record", "v=DKIM1; p=MI Gf"], "there"],
  [["v=DKIM1; p="], "revoked"],
  [["v=DKIM1; k=rsa; p="], "revoked"],
  [["v=DKIM2; p=MIGf"], "missing"],
  [["v=DKIM1; k=rsa"], "missing"],
  [[], "missing"],
  ["no-domain", "missing"],
  ["no-answer", "no-answer"],
  [["v=DKIM1; p=MIGf", "v=DKIM1; p=MIGg"], "several"],
])("of %j the key is %s", async (records, found) => {
  const asked: string[] = [];
  const askTxt = async (name: string) => {
    asked.push(name);
    return records;
  };
  expect(await readDkimKey({ domain: "acme.example", selector: "s1" }, askTxt)).toBe(found);
  expect(asked).toEqual(["s1._domainkey.acme.example"]);
});
