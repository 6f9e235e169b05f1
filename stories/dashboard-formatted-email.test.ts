/** An email as its sender has formatted it: shown without a script and without a request, until its images are asked for (B25). */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { violations } from "@frontdesk/testing/accessibility";
import { BEN, joins, signIn } from "@frontdesk/testing/agent-browser";
import { newAuthority } from "@frontdesk/testing/certificates";
import { isFilled, ofEmail, openMailbox } from "@frontdesk/testing/formatted-email";
import { type Receiver, startReceiver, status } from "@frontdesk/testing/https-receiver";
import { PNG } from "@frontdesk/testing/sample-files";
import { anotherTeam, openShop } from "@frontdesk/testing/visitor-browser";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { hostileEmailsTogether, showHarmless, tricksWork } from "./hostile-emails.ts";

const authority = newAuthority();
const folder = mkdtempSync(join(tmpdir(), "frontdesk-story-ca-"));
writeFileSync(join(folder, "ca.pem"), authority.ca);
afterAll(() => rmSync(folder, { recursive: true }));
const server = await openShop("sqlite", { NODE_EXTRA_CA_CERTS: join(folder, "ca.pem") }, afterAll);

async function imageHost(): Promise<Receiver> {
  const receiver = await startReceiver({ authority });
  onTestFinished(() => receiver.close());
  receiver.answers(status(200, { "Content-Type": "image/png" }, PNG));
  return receiver;
}

/** A newsletter with a photo that came with it, and one that did not. */
const newsletter = (remote: URL): string =>
  [
    'Content-Type: multipart/related; boundary="b"',
    "",
    `--b\r\nContent-Type: text/html\r\n\r\n<html dir="ltr"><head><style>h1{color:rgb(1,2,3)}</style></head><body>`,
    `<h1>Spring shoes</h1><p><a href="https://shop.test/shoes">All shoes</a> and <a href="#top">up</a></p>`,
    `<img id="own" src="cid:shoe" alt="A shoe"><img id="remote" src="${remote}" alt="A banner" width="10" height="10">`,
    `${"<p>Line</p>".repeat(30)}</body></html>`,
    `--b\r\nContent-Type: image/png\r\nContent-ID: <shoe>\r\nContent-Transfer-Encoding: base64\r\n\r\n${PNG.toString("base64")}`,
    "--b--",
  ].join("\r\n");

const widthOf = (id: string) => `email.getElementById("${id}").naturalWidth`;

test("an agent shows an email as it was formatted, and its remote images when they want them", async () => {
  const shop = await anotherTeam(server);
  const post = await openMailbox(shop);
  const host = await imageHost();
  const remote = new URL("/banner.png", `https://127.0.0.1:${host.port}`);
  const id = await post(newsletter(remote));
  const { page, complaints, strangers } = await signIn(shop, `/inbox/${id}`);
  const toggle = page.getByRole("button", { name: "Show formatted email" });
  await toggle.waitFor();
  // What is part of the email is no file below it.
  expect(await page.getByRole("link", { name: /png/ }).count()).toBe(0);
  expect(await toggle.getAttribute("aria-expanded")).toBe("false");
  await toggle.focus();
  await page.keyboard.press("Enter");
  await isFilled(page, "");
  expect(await page.getByRole("button", { name: "Hide formatted email" }).getAttribute("aria-expanded")).toBe("true");
  expect(await ofEmail(page, "getComputedStyle(email.querySelector('h1')).color")).toBe("rgb(1, 2, 3)");
  expect(await ofEmail(page, widthOf("own"))).toBe(1);
  expect(await ofEmail(page, widthOf("remote"))).toBe(0);
  expect(
    await ofEmail(page, "[...email.querySelectorAll('a')].map((a) => [a.getAttribute('href'), a.target, a.rel])"),
  ).toEqual([
    ["https://shop.test/shoes", "_blank", "noopener noreferrer"],
    [null, "", ""],
  ]);
  // As high as the email is: no second scrollbar.
  await expect
    .poll(() => ofEmail(page, "email.documentElement.scrollHeight - email.documentElement.clientHeight"))
    .toBe(0);
  expect((await page.locator("iframe").boundingBox())?.height).toBeGreaterThan(700);
  expect(await violations(page, "a formatted email")).toEqual([]);
  expect(host.connections.opened).toBe(0);

  await page.getByRole("button", { name: "Show remote images" }).click();
  await isFilled(page, "?images=remote");
  await expect.poll(() => ofEmail(page, widthOf("remote"))).toBe(1);
  expect(host.received).toMatchObject([
    { path: "/banner.png", headers: { "user-agent": "Mozilla/5.0 (compatible; Frontdesk)" } },
  ]);
  expect(host.received[0]?.headers).not.toHaveProperty("cookie");
  expect(await page.getByRole("button", { name: "Show remote images" }).count()).toBe(0);

  await page.getByRole("button", { name: "Hide formatted email" }).click();
  await expect.poll(() => page.locator("iframe").count()).toBe(0);
  expect([complaints, strangers]).toEqual([[], []]);
});

test("a member downloads the original of an email, of theirs and of one without HTML", async () => {
  const shop = await anotherTeam(server);
  const post = await openMailbox(shop);
  const id = await post("\r\nSize 40?");
  await joins(shop, BEN);
  const { page } = await signIn(shop, `/inbox/${id}`, {}, BEN);
  await page.locator("[data-index]").getByText("Size 40?").hover();
  expect(await page.getByRole("button", { name: "Show formatted email" }).count()).toBe(0);
  await page.getByRole("button", { name: "Message actions" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Download original" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("original.eml");
  expect(readFileSync(await file.path(), "utf8")).toMatch(/^From: Vera .*\r\n\r\nSize 40\?$/s);
});

test("hostile emails run nothing and ask for nothing; with images, only we ask for them", async () => {
  const shop = await anotherTeam(server);
  const host = await imageHost();
  const emails = hostileEmailsTogether(6);
  await tricksWork(host, emails);
  const asked = await showHarmless(shop, host, emails);
  // The test's premise: there were images to be asked for.
  expect(asked.length).toBeGreaterThan(5);
});
