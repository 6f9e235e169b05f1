import { expect, test } from "vitest";
import { mailOf } from "./mail-for-tests.ts";
import { isSpam } from "./spam-verdict.ts";

const VERDICT = "Authentication-Results: mx.acme.example; dmarc=none";
const judge = (headers: string, id: string | null = "mx.acme.example") => isSpam(mailOf(headers).headers, id);

test.each([
  ["X-Spam-Flag: YES", true],
  ["X-Spam-Status: Yes, score=9.1 required=5.0", true],
  ["X-Spam: Yes", true],
  ["X-Rspamd-Action: add header", true],
  ["X-SES-Spam-Verdict: FAIL", true],
  ["X-Spam-Flag: NO", false],
  ["X-Spam-Status: No, score=0.1 required=5.0", false],
  ["X-Rspamd-Action: no action", false],
  ["X-SES-Spam-Verdict: PASS", false],
  ["X-Frontdesk-Spam: yes", false],
  ["Subject: X-Spam-Flag: YES", false],
])("with %s of the own server, spam is %s", (header, spam) => {
  expect(judge(`${VERDICT}\n${header}\nReceived: by mx\nFrom: vera@example.com`)).toBe(spam);
  expect(judge(`${header}\n${VERDICT}\nReceived: by mx\nFrom: vera@example.com`)).toBe(spam);
});

test("what a relay or the sender says about spam counts for nothing", () => {
  expect(judge(`${VERDICT}\nReceived: by mx\nX-Spam-Flag: YES`)).toBe(false);
  expect(judge("X-Spam-Flag: YES\nReceived: by mx")).toBe(false);
  expect(judge(`X-Spam-Flag: YES\n${VERDICT}`, null)).toBe(false);
  expect(judge(`X-Spam-Flag: YES\n${VERDICT}`, "mx.other.example")).toBe(false);
});

test.each([
  ["X-MS-Exchange-Organization-SCL: 5", true],
  ["X-MS-Exchange-Organization-SCL: 1", false],
  ["X-MS-Exchange-Organization-SCL: -1", false],
  ["X-Forefront-Antispam-Report: CIP:192.0.2.1;CTRY:US;SCL:9;SRV:", true],
  ["X-Forefront-Antispam-Report: CIP:192.0.2.1;SCL:1;", false],
])("%s in a mailbox of Microsoft 365: spam is %s", (header, spam) => {
  const headers = `Authentication-Results: spf=pass smtp.mailfrom=a.example;dmarc=pass\nReceived: by mx\n${header}`;
  expect(judge(headers, "")).toBe(spam);
  expect(judge(`${VERDICT}\n${header}`)).toBe(false);
});
