/**
 * Company sign-in in a real browser, at a certified provider: set up in five steps, tried, required, and lived with (rows B1, B7
 * and B13 of the bar).
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inDarkScheme, violations } from "@frontdesk/testing/accessibility";
import { ADA, BEN, dialogOf, joins, openDashboard, signIn } from "@frontdesk/testing/agent-browser";
import { newAuthority } from "@frontdesk/testing/certificates";
import { REAL_CLIENT, type RealIdp, startRealIdp } from "@frontdesk/testing/real-idp";
import { query } from "@frontdesk/testing/second-app";
import { openShop, type Shop } from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { afterAll, expect, onTestFinished, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "frontdesk-story-ca-"));
const authority = newAuthority();
writeFileSync(join(folder, "ca.pem"), authority.ca);
afterAll(() => rmSync(folder, { recursive: true }));

const SETTINGS = { SSO_ALLOWED_NETWORKS: "127.0.0.0/8", NODE_EXTRA_CA_CERTS: join(folder, "ca.pem") };
/** The provider's certificate is not one that browsers know. */
const OPTIONS = { ignoreHTTPSErrors: true };

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const inDialog = (page: Page, name: string) => dialogOf(page).getByRole("button", { name, exact: true });
const listed = (page: Page, text: string) => page.getByRole("listitem").filter({ hasText: text });

async function newIdp(): Promise<RealIdp> {
  const idp = await startRealIdp(authority);
  onTestFinished(() => idp.close());
  for (const { name, email } of [ADA, BEN]) idp.people.set(name.toLowerCase(), { email, email_verified: true, name });
  return idp;
}

/** Types what the provider asks for, until it sends the browser back. */
async function atProvider(page: Page, name: string): Promise<void> {
  await page.waitForURL(/localhost.*\/interaction\//);
  await page.fill("input[name=login]", name);
  await page.fill("input[name=password]", "any");
  await page.click("button[type=submit]");
  await page.waitForURL((url) => url.hostname === "127.0.0.1" || /interaction/.test(url.pathname));
  if (page.url().includes("/interaction/")) await page.click("button[type=submit]");
  await page.waitForURL((url) => url.hostname === "127.0.0.1");
}

/** Where the focus is, the provider is filled in. */
async function fillProvider(page: Page, idp: RealIdp): Promise<void> {
  const dialog = dialogOf(page);
  await dialog.getByLabel("Provider", { exact: true }).selectOption("keycloak");
  const addresses = await dialog
    .locator("dd span[title]")
    .evaluateAll((all) => all.map((each) => each.getAttribute("title")));
  const [redirect_uri = "", logout_uri = ""] = addresses.map(String);
  idp.registers({ redirect_uri, logout_uri }, async (token) => {
    const answer = await fetch(logout_uri, { method: "POST", body: new URLSearchParams({ logout_token: token }) });
    return answer.status;
  });
  await dialog.getByLabel("Issuer").fill(idp.issuer);
  await dialog.getByLabel("Client ID").fill(REAL_CLIENT.client_id);
  await dialog.getByLabel("Client secret").fill(REAL_CLIENT.client_secret);
}

async function setUp(): Promise<{ shop: Shop; idp: RealIdp; ada: Page }> {
  const idp = await newIdp();
  const shop = await openShop("sqlite", SETTINGS);
  await joins(shop, BEN);
  await shop.frontdesk.command("sso", "domain", "acme.test");
  const { page } = await signIn(shop, "/settings/security", OPTIONS);
  await button(page, "Add provider").click();
  await fillProvider(page, idp);
  await inDialog(page, "Add provider").click();
  await listed(page, "Keycloak").waitFor();
  return { shop, idp, ada: page };
}

test("an owner sets it up in five steps, and a colleague signs in with the company's account", async () => {
  const { shop, idp, ada } = await setUp();
  expect(await violations(ada, "security", inDarkScheme)).toEqual([]);
  // Step: the test, in a new window, says whom it would sign in.
  const opened = ada.context().waitForEvent("page");
  await listed(ada, "Keycloak").getByRole("link", { name: /^Test/ }).click();
  const tried = await opened;
  await atProvider(tried, "ben");
  await tried.getByText("This would sign in Ben, after asking for their password once.").waitFor();
  expect(await violations(tried, "test", inDarkScheme)).toEqual([]);
  await tried.close();
  await button(ada, "Turn on Keycloak").click();
  await button(ada, "Turn off Keycloak").waitFor();

  const ben = await openDashboard(shop, "/sign-in?next=%2Fsettings%2Fprofile", OPTIONS);
  await button(ben.page, "Continue with Keycloak").waitFor();
  expect(await violations(ben.page, "sign-in", inDarkScheme)).toEqual([]);
  await button(ben.page, "Continue with Keycloak").focus();
  await ben.page.keyboard.press("Enter");
  await atProvider(ben.page, "ben");
  await ben.page.getByRole("heading", { name: "Is this your account?" }).waitFor();
  expect(await violations(ben.page, "password once", inDarkScheme)).toEqual([]);
  await ben.page.getByLabel("Password").fill("wrong password");
  await ben.page.keyboard.press("Enter");
  await ben.page.getByText("Wrong email or password.").waitFor();
  await ben.page.getByLabel("Password").fill(BEN.password);
  await ben.page.keyboard.press("Enter");
  await ben.page.waitForURL(/\/app\/settings\/profile$/);
  await ben.page.getByRole("heading", { name: "Company account" }).waitFor();
  expect(await violations(ben.page, "profile", inDarkScheme)).toEqual([]);

  // The provider ends it, wherever Ben is: within seconds he is asked to sign in again.
  const atIdp = await ben.page.context().newPage();
  await atIdp.goto(`${idp.issuer}/session/end`);
  await atIdp.click("button[name=logout]");
  await ben.page.waitForURL(/\/app\/sign-in/);
  // From now on, no password is asked for.
  await button(ben.page, "Continue with Keycloak").click();
  await atProvider(ben.page, "ben");
  await ben.page.waitForURL(/\/app\/(inbox|settings)/);
});

test("it is required: passwords are over but for the named owner, also while the provider is away", async () => {
  const { shop, idp, ada } = await setUp();
  await button(ada, "Turn on Keycloak").click();
  await ada.getByText("Before you can require it").waitFor();
  const require = ada.getByRole("switch", { name: "Require company sign-in for acme.test" });
  await require.click();
  await inDialog(ada, "Require it").click();
  await ada.getByText("Sign in with your own company account first").first().waitFor();
  await ada.keyboard.press("Escape");

  await ada.goto(`${shop.frontdesk.origin}/app/settings/profile`);
  await button(ada, "Link Keycloak").click();
  await atProvider(ada, "ada");
  await ada.waitForURL(/\/app\/settings\/profile$/);
  await button(ada, "Unlink Keycloak").waitFor();

  await ada.goto(`${shop.frontdesk.origin}/app/settings/security`);
  await ada.getByRole("switch", { name: "Ada" }).click();
  await require.click();
  expect(await violations(ada, "requiring", inDarkScheme)).toEqual([]);
  await inDialog(ada, "Require it").click();
  await expect.poll(() => require.isChecked()).toBe(true);

  const ben = await openDashboard(shop, "/sign-in", OPTIONS);
  await ben.page.fill("input[name=email]", BEN.email);
  await ben.page.fill("input[name=password]", BEN.password);
  await ben.page.keyboard.press("Enter");
  await ben.page.getByText("Wrong email or password.").waitFor();
  await idp.stop();
  await button(ben.page, "Continue with Keycloak").click();
  await ben.page.getByText("Your company’s sign-in doesn’t answer.").waitFor();
  await ben.page.fill("input[name=email]", ADA.email);
  await ben.page.fill("input[name=password]", ADA.password);
  await ben.page.locator("input[name=password]").press("Enter");
  await ben.page.waitForURL(/\/app\/(inbox|start)/);

  // Without any of it, the operator has a command.
  expect(await shop.frontdesk.command("sso", "off")).toEqual({ domains: ["acme.test"] });
  const again = await openDashboard(shop, "/sign-in", OPTIONS);
  await again.page.fill("input[name=email]", BEN.email);
  await again.page.fill("input[name=password]", BEN.password);
  await again.page.keyboard.press("Enter");
  await again.page.waitForURL(/\/app\/inbox/);
});

test("an agent proves again who they are at the provider, in a new window, and the action goes on", async () => {
  const { shop, ada } = await setUp();
  await button(ada, "Turn on Keycloak").click();
  await button(ada, "Turn off Keycloak").waitFor();
  await ada.goto(`${shop.frontdesk.origin}/app/settings/profile`);
  await button(ada, "Link Keycloak").click();
  await atProvider(ada, "ada");
  await button(ada, "Unlink Keycloak").waitFor();
  const { storage } = shop.frontdesk.running();
  await query(storage, "UPDATE sessions SET verified_at = 0");
  await storage.write(shop.teamId, async (db) => db.announce("access"));
  await ada.goto(`${shop.frontdesk.origin}/app/settings/security`);
  await button(ada, "Turn off Keycloak").click();
  const proof = dialogOf(ada).getByRole("link", { name: /Continue with Keycloak/ });
  await proof.waitFor();
  expect(await violations(ada, "the proof", inDarkScheme)).toEqual([]);
  const opened = ada.context().waitForEvent("page");
  await proof.click();
  await atProvider(await opened, "ada");
  await button(ada, "Turn on Keycloak").waitFor();
  await expect.poll(() => dialogOf(ada).count()).toBe(0);
});
