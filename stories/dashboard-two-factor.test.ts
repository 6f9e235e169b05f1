/** Second factors as an agent meets them: in a real Chromium, with its virtual authenticator (docs/decisions/0069-ways-in.md). */

import { TOTP_STEP_MS, totpCode } from "@frontdesk/server/access/totp";
import { violations } from "@frontdesk/testing/accessibility";
import { ageSessions } from "@frontdesk/testing/age-sessions";
import { ADA, BEN, dialogOf, joins, openDashboard } from "@frontdesk/testing/agent-browser";
import { startMailServer } from "@frontdesk/testing/mail-server";
import { openShop, type Shop } from "@frontdesk/testing/visitor-browser";
import type { CDPSession, Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";

/** A server at a host name: passkeys are not for IP addresses. */
async function openNamedShop(settings: Record<string, string> = {}) {
  const shop = await openShop("sqlite", { PUBLIC_URL: "http://localhost:{port}", ...settings });
  const origin = shop.frontdesk.origin.replace("127.0.0.1", "localhost");
  return { shop, at: { frontdesk: { origin } } };
}

async function fillIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.fill("input[name=email]", email);
  await page.fill("input[name=password]", password);
  await page.keyboard.press("Enter");
}

const atInbox = (page: Page) => page.waitForURL(/\/app\/(inbox|start)/);
const codeNow = (secret: string, steps = 0) => totpCode(secret, Math.floor(Date.now() / TOTP_STEP_MS) + steps);

/** The device's own authenticator, with a fingerprint that fits. */
async function withAuthenticator(page: Page): Promise<{ session: CDPSession; authenticatorId: string }> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable", { enableUI: false });
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { session, authenticatorId };
}

/** All sessions of the shop were proved long ago. */
async function longAfterTheSignIn({ frontdesk }: Pick<Shop, "frontdesk">): Promise<void> {
  await ageSessions(frontdesk.running().storage);
}

test("an app is added, asked for at the next sign-in and trusted in one browser; its secret stays in the page", async () => {
  const mail = await startMailServer();
  onTestFinished(mail.stop);
  const { shop, at } = await openNamedShop({ SMTP_URL: `smtp://127.0.0.1:${mail.port}` });
  const ada = await openDashboard(at, "/sign-in");
  const sent: string[] = [];
  ada.page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
  await fillIn(ada.page, ADA);
  await atInbox(ada.page);
  await ada.page.goto(`${at.frontdesk.origin}/app/settings/profile`);
  await ada.page.getByRole("button", { name: "Add an app" }).click();
  await dialogOf(ada.page).getByRole("img", { name: "QR code for your authenticator app" }).waitFor();
  const secret = await dialogOf(ada.page).locator("[title]").first().innerText();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(await violations(ada.page, "adding an app")).toEqual([]);
  await ada.page.getByLabel("Code", { exact: true }).fill("000000");
  await ada.page.keyboard.press("Enter");
  await dialogOf(ada.page).getByText("This code is wrong, or was used before.").waitFor();
  await ada.page.getByLabel("Code", { exact: true }).fill(codeNow(secret));
  await ada.page.keyboard.press("Enter");
  const saved = ada.page.getByRole("dialog", { name: "Save your recovery codes" });
  const codes = (await saved.locator("pre").innerText()).split("\n");
  expect(codes).toHaveLength(10);
  expect(await violations(ada.page, "recovery codes")).toEqual([]);
  // In a low window, the toast that says so leaves the content its room.
  await ada.page.setViewportSize({ width: 1280, height: 240 });
  await saved.getByText("Authenticator app added").waitFor();
  await saved.getByRole("checkbox").check();
  await ada.page.setViewportSize({ width: 1280, height: 860 });
  await saved.getByRole("button", { name: "Done" }).click();
  await ada.page.getByText("10 codes left").waitFor();
  expect(await violations(ada.page, "the profile", [])).toEqual([]);
  // Neither the secret nor a code left the page.
  expect(sent.filter((request) => request.includes(secret) || codes.some((code) => request.includes(code)))).toEqual(
    [],
  );
  expect([...ada.strangers, ...ada.complaints.filter((text) => !/401|422/.test(text))]).toEqual([]);

  // The next sign-in asks for a code: a wrong one is said, a right one goes on to the page that was asked for.
  const second = await openDashboard(at, "/settings/profile");
  await fillIn(second.page, ADA);
  await second.page.getByRole("heading", { name: "Enter your code" }).waitFor();
  expect(await violations(second.page, "the second step")).toEqual([]);
  await second.page.getByLabel("Code", { exact: true }).fill("000000");
  await second.page.keyboard.press("Enter");
  await second.page.getByText("This code is wrong, or was used before.").waitFor();
  await second.page.getByRole("checkbox").check();
  await second.page.getByRole("button", { name: "Use a recovery code" }).click();
  await second.page.getByLabel("Recovery code").fill(codes[0]?.toLowerCase() ?? "");
  await second.page.keyboard.press("Enter");
  await second.page.waitForURL(/settings\/profile/);
  await second.page.getByText("9 codes left").waitFor();
  await second.page.getByRole("heading", { name: "Trusted browsers" }).waitFor();

  // Long after the sign-in a fresh action asks first, over the dialog that wanted it, and then goes on by itself.
  await longAfterTheSignIn(shop);
  await second.page.getByRole("button", { name: "Create new codes" }).click();
  const question = second.page.getByRole("dialog", { name: "Create new recovery codes?" });
  await question.getByRole("button", { name: "Create new codes" }).click();
  const verify = second.page.getByRole("dialog", { name: "Confirm it’s you" });
  await verify.waitFor();
  expect(await violations(second.page, "the proof")).toEqual([]);
  await verify.getByRole("button", { name: "Use your password" }).click();
  await verify.getByLabel("Password").fill("wrong horse");
  await second.page.keyboard.press("Enter");
  await verify.getByText("Wrong password.").waitFor();
  await verify.getByLabel("Password").fill(ADA.password);
  await second.page.keyboard.press("Enter");
  await second.page.getByRole("dialog", { name: "Save your recovery codes" }).waitFor();

  // Each change was mailed, without the secret and the codes.
  const subjects = () => mail.inbox.map(({ raw }) => /^Subject: (.*?) \(/m.exec(raw)?.[1]).toSorted();
  await expect
    .poll(subjects)
    .toEqual(
      [
        "New sign-in to your account",
        "Authenticator app added",
        "Recovery code used",
        "New sign-in to your account",
        "New recovery codes",
      ].toSorted(),
    );
  const mails = mail.inbox.map(({ raw }) => raw).join("\n");
  for (const text of [secret, ...codes, ...codes.map((code) => code.slice(0, 13)), "http"])
    expect(mails).not.toContain(text);

  // Cancelled, the action is not done, and the question stays.
  await second.page.reload();
  await longAfterTheSignIn(shop);
  await second.page.getByRole("button", { name: "Create new codes" }).click();
  await question.getByRole("button", { name: "Create new codes" }).click();
  await verify.getByRole("button", { name: "Cancel" }).click();
  await second.page.getByText("Confirm that it’s you first. Then try again.").waitFor();
  await question.waitFor();
});

test("a passkey is added, suggested at the next sign-in without a name typed, and proves again", async () => {
  const { shop, at } = await openNamedShop();
  const { page, complaints } = await openDashboard(at, "/sign-in");
  const { session, authenticatorId } = await withAuthenticator(page);
  await fillIn(page, ADA);
  await atInbox(page);
  await page.goto(`${at.frontdesk.origin}/app/settings/profile`);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await dialogOf(page).getByLabel("Name").fill("Ada’s laptop");
  expect(await violations(page, "adding a passkey")).toEqual([]);
  await page.keyboard.press("Enter");
  const saved = page.getByRole("dialog", { name: "Save your recovery codes" });
  await saved.getByRole("checkbox").check();
  await saved.getByRole("button", { name: "Done" }).click();
  await page.getByText("Ada’s laptop", { exact: true }).waitFor();
  const { credentials } = await session.send("WebAuthn.getCredentials", { authenticatorId });
  expect(credentials).toMatchObject([{ rpId: "localhost", isResidentCredential: true }]);

  // Renamed, and used for a fresh action.
  await page.getByRole("button", { name: "Rename the passkey “Ada’s laptop”" }).click();
  await dialogOf(page).getByLabel("Name").fill("Laptop");
  await page.keyboard.press("Enter");
  await page.getByText("Laptop", { exact: true }).waitFor();
  await longAfterTheSignIn(shop);
  await page.getByRole("button", { name: "Create new codes" }).click();
  await page
    .getByRole("dialog", { name: "Create new recovery codes?" })
    .getByRole("button", { name: "Create new codes" })
    .click();
  await page.getByRole("dialog", { name: "Confirm it’s you" }).getByRole("button", { name: "Use a passkey" }).click();
  await saved.getByRole("checkbox").check();
  await saved.getByRole("button", { name: "Done" }).click();

  // Signed out, the sign-in page itself is enough.
  await page.context().clearCookies();
  await page.goto(`${at.frontdesk.origin}/app/sign-in`);
  await atInbox(page);

  // A finger that does not fit is no way in.
  await page.context().clearCookies();
  await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
  await page.goto(`${at.frontdesk.origin}/app/sign-in`);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByText("No passkey was used. Try again.").waitFor();
  expect(page.url()).toContain("/sign-in");
  expect(await violations(page, "sign-in with a passkey")).toEqual([]);
  await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });
  // By the button, unless the suggestion under the field, which now fits as well, is sooner.
  const pressed = page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await Promise.race([pressed.catch(() => {}), atInbox(page)]);
  await atInbox(page);
  expect(complaints.filter((text) => !/401|403|422/.test(text))).toEqual([]);
});

test("a passkey is offered after a password, added from there, and not again where it was declined", async () => {
  const { shop, at } = await openNamedShop();
  await joins(shop, BEN);
  const { page } = await openDashboard(at, "/sign-in");
  await withAuthenticator(page);
  const offer = page.getByRole("complementary", { name: "Passkeys" });
  await fillIn(page, BEN);
  await offer.waitFor();
  expect(await violations(page, "the offer of a passkey")).toEqual([]);
  await offer.getByRole("button", { name: "Don’t offer again" }).click();
  await offer.waitFor({ state: "detached" });
  await page.context().clearCookies();
  await page.goto(`${at.frontdesk.origin}/app/sign-in`);
  const known = page.waitForResponse(/\/app\/api\/me\/factors/);
  await fillIn(page, BEN);
  await known;
  await atInbox(page);
  expect(await offer.count()).toBe(0);

  // In the same browser another agent is asked, and adds one.
  await page.context().clearCookies();
  await page.goto(`${at.frontdesk.origin}/app/sign-in`);
  await fillIn(page, ADA);
  await offer.getByRole("button", { name: "Add a passkey" }).click();
  await dialogOf(page).getByLabel("Name").fill("Laptop");
  await page.keyboard.press("Enter");
  const saved = page.getByRole("dialog", { name: "Save your recovery codes" });
  await saved.getByRole("checkbox").check();
  await saved.getByRole("button", { name: "Done" }).click();
  expect(await offer.count()).toBe(0);
});

test("an owner requires a factor: a teammate enrols before anything else, and an admin can reset it and sign them out", async () => {
  const { shop, at } = await openNamedShop();
  await joins(shop, BEN);
  const ada = await openDashboard(at, "/sign-in");
  await fillIn(ada.page, ADA);
  await atInbox(ada.page);
  await ada.page.goto(`${at.frontdesk.origin}/app/settings/security`);
  await ada.page.getByLabel("Two-factor sign-in is required for").selectOption("everybody");
  await ada.page.getByText("Saved").waitFor();
  expect(await violations(ada.page, "the sign-in rules")).toEqual([]);

  const ben = await openDashboard(at, "/sign-in");
  await fillIn(ben.page, BEN);
  await ben.page.waitForURL(/\/enrol/);
  await ben.page.goto(`${at.frontdesk.origin}/app/inbox`);
  await ben.page.waitForURL(/\/enrol/);
  await ben.page.getByRole("button", { name: "Use an authenticator app" }).click();
  const secret = await ben.page.locator("[title]").first().innerText();
  expect(await violations(ben.page, "the enrolment")).toEqual([]);
  await ben.page.getByLabel("Code", { exact: true }).fill(codeNow(secret));
  await ben.page.keyboard.press("Enter");
  await dialogOf(ben.page).getByRole("checkbox").check();
  await dialogOf(ben.page).getByRole("button", { name: "Done" }).click();
  await atInbox(ben.page);

  await ada.page.goto(`${at.frontdesk.origin}/app/settings/team`);
  // Who has a factor is said, and those without can be shown alone.
  const row = (name: string) => ada.page.getByRole("listitem").filter({ hasText: name });
  await row("ben@acme.test").getByText("Two-factor", { exact: true }).waitFor();
  expect(await violations(ada.page, "the people")).toEqual([]);
  await ada.page.getByRole("checkbox", { name: "Only people without two-factor sign-in" }).check();
  await row("ben@acme.test").waitFor({ state: "detached" });
  expect(await row("ada@acme.test").getByText("Two-factor", { exact: true }).count()).toBe(0);
  await ada.page.getByRole("checkbox", { name: "Only people without two-factor sign-in" }).uncheck();
  for (const [item, done] of [
    ["Reset two-factor sign-in", "Two-factor sign-in for Ben is reset"],
    ["Sign out everywhere", "Ben is signed out everywhere"],
  ] as const) {
    await ada.page.getByRole("button", { name: /Ben/ }).click();
    await ada.page.getByRole("menuitem", { name: item }).click();
    await dialogOf(ada.page).getByRole("button", { name: item }).click();
    await ada.page.getByText(done).waitFor();
  }
  await ben.page.waitForURL(/\/sign-in/);

  // The last owner who has lost everything comes back by the terminal.
  await expect(shop.frontdesk.command("agent", "reset-factors", "--email", BEN.email)).resolves.toEqual({
    removed: false,
  });
});
