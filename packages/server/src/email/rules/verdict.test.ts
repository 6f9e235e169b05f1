import fc from "fast-check";
import { expect, test } from "vitest";
import { mailOf } from "./mail-for-tests.ts";
import { authservIdOf, verdictOf } from "./verdict.ts";

const of = (header: string, id: string | null = "mx.acme.example") =>
  verdictOf([["authentication-results", header]], id);

test.each([
  [
    "Gmail",
    `mx.acme.example; dkim=pass header.i=@example.com header.s=s1 header.b="a;b=c";
       spf=pass (acme: domain of vera@example.com designates 192.0.2.1 as permitted sender; ok) smtp.mailfrom=vera@example.com;
       dmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from=example.com`,
    { dmarc: "pass", spf: "pass", dkim: "pass" },
  ],
  [
    "a version and upper case",
    "MX.Acme.Example 1; DMARC=FAIL; SPF = softfail",
    { dmarc: "fail", spf: "fail", dkim: "none" },
  ],
  ["a version of the method", "mx.acme.example; dmarc/1=pass", { dmarc: "pass", spf: "none", dkim: "none" }],
  [
    "several signatures",
    "mx.acme.example; dkim=fail; dkim=pass; dkim=none",
    { dmarc: "none", spf: "none", dkim: "pass" },
  ],
  ["no result", "mx.acme.example; none", { dmarc: "none", spf: "none", dkim: "none" }],
  [
    "errors",
    "mx.acme.example; dmarc=temperror; spf=permerror; dkim=neutral",
    { dmarc: "none", spf: "none", dkim: "none" },
  ],
  [
    "a result in a comment",
    "mx.acme.example (x (y; dmarc=pass)); spf=fail (a;dmarc=pass)",
    { dmarc: "none", spf: "fail", dkim: "none" },
  ],
  [
    "a result in quotes",
    'mx.acme.example; spf=pass smtp.mailfrom="a;dmarc=pass;\\";dmarc=pass"',
    { dmarc: "none", spf: "pass", dkim: "none" },
  ],
  [
    "a second result of a method",
    "mx.acme.example; dmarc=fail; dmarc=pass",
    { dmarc: "fail", spf: "none", dkim: "none" },
  ],
  [
    "a result among properties",
    "mx.acme.example; spf=none smtp.mailfrom=dmarc=pass",
    { dmarc: "none", spf: "none", dkim: "none" },
  ],
])("a verdict is read with %s", (_what, header, verdict) => {
  expect(of(header)).toEqual(verdict);
});

test("Microsoft 365 names no server, which is an id of its own", () => {
  const header =
    "spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=example.com; dkim=fail (no key);dmarc=fail action=oreject;compauth=fail reason=000";
  expect(of(header, "")).toEqual({ dmarc: "fail", spf: "pass", dkim: "fail" });
  expect(of(header)).toBeUndefined();
  expect([header, "MX.example 1; none", ""].map(authservIdOf)).toEqual(["", "mx.example", ""]);
});

test.each([
  ["another server", "mx.evil.example; dmarc=pass"],
  ["a longer name", "mx.acme.example.evil.example; dmarc=pass"],
  ["no name", "; dmarc=pass"],
  ["nothing", ""],
])("the header of %s is no verdict", (_whose, header) => {
  expect(of(header)).toBeUndefined();
});

test("only the topmost header counts, whatever is below it", () => {
  const forged = "Authentication-Results: mx.acme.example; dmarc=pass";
  const read = (headers: string) => verdictOf(mailOf(headers).headers, "mx.acme.example");
  expect(read(`Authentication-Results: mx.acme.example; dmarc=fail\n${forged}`)?.dmarc).toBe("fail");
  expect(read(`Authentication-Results: mx.other.example; dmarc=fail\n${forged}`)).toBeUndefined();
  expect(read("From: vera@example.com")).toBeUndefined();
});

test("without a confirmed server there is no verdict", () => {
  expect(of("mx.acme.example; dmarc=pass", null)).toBeUndefined();
});

test("no header makes it throw, or takes long", () => {
  const text = fc.string({
    unit: fc.constantFrom("(", ")", '"', "\\", ";", "=", " ", "dmarc", "pass", "mx.acme.example"),
  });
  fc.assert(
    fc.property(text, (header) => {
      of(header);
    }),
  );
  for (const sign of ["(", '"', ";", "\\", "a=", "a", " "]) of(sign.repeat(2_000_000));
});
