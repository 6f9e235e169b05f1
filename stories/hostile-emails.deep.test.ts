/** Each way of `hostile-emails.ts` in an email of its own, among them those after which nothing else of an email is read (B25). */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newAuthority } from "@frontdesk/testing/certificates";
import { startReceiver, status } from "@frontdesk/testing/https-receiver";
import { PNG } from "@frontdesk/testing/sample-files";
import { openShop } from "@frontdesk/testing/visitor-browser";
import { afterAll, expect, test } from "vitest";
import { hostileEmails, showHarmless } from "./hostile-emails.ts";

const authority = newAuthority();
const folder = mkdtempSync(join(tmpdir(), "frontdesk-story-ca-"));
writeFileSync(join(folder, "ca.pem"), authority.ca);
afterAll(() => rmSync(folder, { recursive: true }));
const shop = await openShop("sqlite", { NODE_EXTRA_CA_CERTS: join(folder, "ca.pem") }, afterAll);
const host = await startReceiver({ authority });
afterAll(() => host.close());
host.answers(status(200, { "Content-Type": "image/png" }, PNG));

test("every hostile email alone runs nothing, and only we ask for its images", async () => {
  expect(hostileEmails.length).toBeGreaterThan(90);
  const asked = await showHarmless(shop, host, hostileEmails);
  expect(asked.length).toBeGreaterThan(10);
});
