/** Settings > Channels in a real browser: a mailbox on a real Dovecot is connected and tried, and what is wrong with it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inDarkScheme, violations, violationsInDepth } from "@frontdesk/testing/accessibility";
import { dialogOf, signIn } from "@frontdesk/testing/agent-browser";
import { startDovecot } from "@frontdesk/testing/dovecot";
import {
  button,
  dialogSays,
  focusedField,
  heading,
  inDialog,
  mailboxOn,
  main,
  says,
} from "@frontdesk/testing/mailbox-pages";
import { startOAuthProvider } from "@frontdesk/testing/oauth-provider";
import { mailOf } from "@frontdesk/testing/read-mailbox";
import { startScriptedSmtp } from "@frontdesk/testing/scripted-smtp";
import { query } from "@frontdesk/testing/second-app";
import { anotherTeam, openShop } from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";

const provider = await startOAuthProvider();
afterAll(() => provider.close());
const folder = mkdtempSync(join(tmpdir(), "frontdesk-story-ca-"));
writeFileSync(join(folder, "ca.pem"), provider.ca);
afterAll(() => rmSync(folder, { recursive: true }));
const dovecot = await startDovecot({ introspectionUrl: provider.introspectionUrl });
afterAll(() => dovecot.stop());
const smtp = await startScriptedSmtp();
afterAll(() => smtp.close());
const settings = { CHANNEL_ALLOWED_NETWORKS: "127.0.0.0/8", NODE_EXTRA_CA_CERTS: join(folder, "ca.pem") };
const server = await openShop("sqlite", settings, afterAll);

const mailboxOf = mailboxOn({ dovecot, smtp });

async function enterAddress(page: Page, address: string): Promise<void> {
  await page.getByLabel("Email address").fill(address);
  await page.keyboard.press("Tab");
}

/** The servers of this test, which no table and no DNS knows. */
async function enterServers(page: Page): Promise<void> {
  await dialogOf(page).getByText("Advanced", { exact: true }).click();
  for (const [group, label, port] of [
    ["Receiving", "Incoming mail server", dovecot.port],
    ["Sending", "Outgoing mail server", smtp.port],
  ] as const) {
    const fields = page.getByRole("group", { name: group });
    await fields.getByLabel(label).fill("127.0.0.1");
    await fields.getByLabel("Port").fill(String(port));
    await fields.getByLabel("Encryption").selectOption("none");
  }
}

test("a mailbox works within minutes from its address and password, tried before it is saved", async () => {
  const shop = await anotherTeam(server);
  const { page, complaints } = await signIn(shop, "/settings/channels");
  await says(page, "No channels yet");
  expect(await violations(page, "no channels", inDarkScheme)).toEqual([]);
  await button(page, "Connect a mailbox").click();

  // Providers that are known say what they want.
  await enterAddress(page, "acme.support@gmail.com");
  await dialogSays(page, /Gmail accepts only an app password.*Create an app password/s);
  await dialogSays(page, /Receives from \W?imap\.gmail\.com:993\W?, sends through \W?smtp\.gmail\.com:465/);
  await enterAddress(page, "acme.support@outlook.com");
  await dialogSays(page, /Outlook\.com\W? has turned off passwords.*your own app.*Redirect URI to register/s);
  await enterAddress(page, "support@acme.local");
  await dialogSays(page, "These servers are guessed");

  // Enter tries it; nothing is saved.
  await dialogOf(page).getByLabel("Password", { exact: true }).fill("wrong");
  await enterServers(page);
  await page.keyboard.press("Enter");
  await dialogSays(page, "Something doesn’t work yet");
  const findings = dialogOf(page).getByRole("list", { name: "Test results" }).getByRole("listitem");
  expect(await findings.allInnerTexts()).toEqual([
    expect.stringMatching(/OK:.*127\.0\.0\.1 accepts connections/s),
    expect.stringMatching(/Problem:.*127\.0\.0\.1 doesn’t accept the user name and the password.*app password/s),
    expect.stringMatching(/OK:.*127\.0\.0\.1 accepts connections/s),
    expect.stringMatching(/OK:.*127\.0\.0\.1 accepts the user name and the password/s),
  ]);
  expect(await violations(page, "a failed test", inDarkScheme)).toEqual([]);
  expect(await inDialog(page, "Connect anyway").isEnabled()).toBe(true);
  expect((await shop.api.listChannels()).data).toEqual([]);

  // What was found is of what was tried.
  await dialogOf(page).getByLabel("Password", { exact: true }).fill(dovecot.password);
  await expect.poll(() => findings.count()).toBe(0);
  await inDialog(page, "Test connection").click();
  await dialogSays(page, "Everything works");
  await inDialog(page, "Connect a mailbox").click();
  await expect.poll(() => page.url()).toMatch(/\/settings\/channels\/[0-9a-f-]{36}$/);
  await says(page, /support@acme\.local\s+Active/);
  await expect.poll(() => heading(page)).toBe("support@acme.local");
  await says(page, /Last received\s+Never/);
  expect(await violations(page, "a mailbox", inDarkScheme)).toEqual([]);

  // A mail that comes once it is read is a conversation, and the page says that it came.
  const positions = `SELECT uid_validity FROM mail_folders WHERE team_id = '${shop.teamId}' AND uid_validity IS NOT NULL`;
  await expect.poll(() => query(shop.frontdesk.running().storage, positions)).toHaveLength(1);
  const connected = Math.floor(Date.now() / 1_000);
  await expect.poll(() => Math.floor(Date.now() / 1_000)).toBeGreaterThan(connected);
  dovecot.deliver("support@acme.local", mailOf("Where is my order?"));
  await expect.poll(async () => (await shop.api.listConversations()).data.length).toBe(1);
  await says(page, /Last received\s+(?!Never)/);

  // The address is taken, and the field says so.
  await page.getByRole("link", { name: "Channels" }).first().click();
  await says(page, /support@acme\.local\s+Active.*Received this minute/s);
  await button(page, "Connect a mailbox").click();
  await enterAddress(page, "support@acme.local");
  await dialogOf(page).getByLabel("Password", { exact: true }).fill(dovecot.password);
  await enterServers(page);
  await inDialog(page, "Test connection").click();
  await dialogSays(page, "Everything works");
  await inDialog(page, "Connect a mailbox").click();
  await dialogSays(page, "This address is already connected");
  await expect.poll(() => focusedField(page)).toBe("Email address");
  expect(complaints.filter((text) => !text.includes("422"))).toEqual([]);
});

test("a mailbox is signed in to at its provider, with the team's own app", async () => {
  const shop = await anotherTeam(server);
  const { page, complaints } = await signIn(shop, "/settings/channels");
  await page.route(`${new URL(provider.settings.authorize_url).origin}/**`, async (route) => {
    const asked = new URL(route.request().url());
    const back = asked.searchParams.get("redirect_uri");
    const no = new URLSearchParams({ error: "access_denied", state: asked.searchParams.get("state") ?? "" });
    const yes = await provider.allows(asked.href, "oauth@acme.local");
    const body = `<a href="${back}?${yes.replaceAll("&", "&amp;")}">Allow</a> <a href="${back}?${no}">Deny</a>`;
    await route.fulfill({ contentType: "text/html", body });
  });
  await button(page, "Connect a mailbox").click();
  await enterAddress(page, "oauth@acme.local");
  await dialogSays(page, "These servers are guessed");
  await enterServers(page);
  await page.getByRole("group", { name: "Sending" }).getByLabel("Sign-in for sending").selectOption("none");
  await dialogOf(page).getByLabel("Sign in with").selectOption("custom");
  await dialogSays(page, "Register your own app");
  await expect
    .poll(() => dialogOf(page).getByLabel("Redirect URI to register").inputValue())
    .toMatch(/\/app\/settings\/channels\/sign-in$/);
  expect(await violations(page, "an app of one's own", inDarkScheme)).toEqual([]);
  // What is missing is said at its field.
  await inDialog(page, "Save and sign in").click();
  await expect.poll(() => focusedField(page)).toBe("Client ID");
  const { client_id, client_secret, authorize_url, token_url, scope } = provider.settings;
  await dialogOf(page).getByLabel("Client ID").fill(client_id);
  await dialogOf(page).getByLabel("Client secret").fill(client_secret);
  await dialogOf(page).getByLabel("Authorization URL").fill(authorize_url);
  await dialogOf(page).getByLabel("Token URL").fill(token_url);
  await dialogOf(page).getByLabel("Scope").fill(scope);
  await inDialog(page, "Save and sign in").click();
  await page.getByRole("link", { name: "Deny" }).click();
  await says(page, /The sign-in didn’t work\s+Access wasn’t granted/);
  expect(await violations(page, "a sign-in that failed", inDarkScheme)).toEqual([]);
  // The mailbox is there, and its page says what is missing.
  await page.getByRole("link", { name: "Channels" }).first().click();
  await page.getByRole("link", { name: "oauth@acme.local" }).click();
  await says(
    page,
    /Needs sign-in\s.*(The sign-in is missing or has expired|Sign in to the provider to connect this mailbox)/s,
  );
  expect(await violations(page, "a mailbox that needs a sign-in", inDarkScheme)).toEqual([]);
  await button(page, "Sign in").click();
  await page.getByRole("link", { name: "Allow" }).click();
  await expect.poll(() => page.url()).toMatch(/\/settings\/channels\/[0-9a-f-]{36}$/);
  await says(page, /oauth@acme\.local\s+Active/);
  provider.revokesAll();
  await button(page, "Check now").click();
  await says(page, /Problem:\s+Sign in to the provider to connect this mailbox/);
  expect((await shop.api.listChannels()).data).toHaveLength(1);
  expect(complaints.filter((text) => !text.includes("422"))).toEqual([]);
});

test("an app that needs no person is tried before it is saved, and again once an administrator has changed its access", async () => {
  const shop = await anotherTeam(server);
  const { page, complaints } = await signIn(shop, "/settings/channels");
  await button(page, "Connect a mailbox").click();
  await enterAddress(page, "service@acme.local");
  await dialogSays(page, "These servers are guessed");
  await enterServers(page);
  await page.getByRole("group", { name: "Sending" }).getByLabel("Sign-in for sending").selectOption("none");
  await dialogOf(page).getByLabel("Sign in with").selectOption("google");
  await dialogOf(page).getByLabel("Access").selectOption("service");
  await dialogSays(page, "domain-wide delegation");
  expect(await dialogOf(page).getByLabel("Client ID").count()).toBe(0);
  await dialogOf(page).getByLabel("Key of the service account").fill('{"type":"service_account"}');
  await inDialog(page, "Test connection").click();
  await dialogSays(page, "This isn’t the key of a service account");
  await expect.poll(() => focusedField(page)).toBe("Key of the service account");
  expect(await violations(page, "a service account", inDarkScheme)).toEqual([]);
  await dialogOf(page).getByLabel("Sign in with").selectOption("microsoft");
  await dialogSays(page, "IMAP.AccessAsApp");
  expect(await dialogOf(page).getByLabel("Key of the service account").count()).toBe(0);
  await dialogOf(page).getByLabel("Sign in with").selectOption("custom");
  await dialogOf(page).getByLabel("Key of the service account").fill(JSON.stringify(provider.serviceAccount()));
  await dialogOf(page).getByLabel("Token URL").fill(provider.settings.token_url);
  await dialogOf(page).getByLabel("Scope").fill(provider.settings.scope);
  expect(await dialogOf(page).getByLabel("Redirect URI to register").count()).toBe(0);
  provider.servesMailbox = undefined;
  await inDialog(page, "Test connection").click();
  await dialogSays(page, /rejects the app: .*Not for this mailbox/s);
  provider.servesMailbox = "service@acme.local";
  await inDialog(page, "Test again").click();
  await dialogSays(page, "Everything works");
  await inDialog(page, "Connect a mailbox").click();
  await says(page, /service@acme\.local\s+Active/);

  // Its access is taken away, and given back.
  provider.servesMailbox = undefined;
  provider.revokesAll();
  const params = { id: (await shop.api.listChannels()).data[0]?.id ?? "" };
  await shop.api.updateChannel({ params, body: { settings: { pace: 31 } } });
  await says(page, /Needs sign-in\s.*rejects the app/s);
  expect(await violations(page, "an app that was refused", inDarkScheme)).toEqual([]);
  provider.servesMailbox = "service@acme.local";
  await button(page, "Try again").click();
  await says(page, /service@acme\.local\s+Active/);
  expect(complaints.filter((text) => !text.includes("422"))).toEqual([]);
});

test("what is wrong is said at its field, and those that are hidden are shown", async () => {
  const { page } = await signIn(await anotherTeam(server), "/settings/channels");
  await button(page, "Connect a mailbox").click();
  await enterAddress(page, "help@acme.local");
  await dialogSays(page, "These servers are guessed");
  await page.keyboard.type("secret");
  await dialogOf(page).getByText("Advanced", { exact: true }).click();
  const host = page.getByLabel("Incoming mail server");
  await host.fill("10.0.0.1");
  await dialogOf(page).getByText("Advanced", { exact: true }).click();
  await expect.poll(() => host.isVisible()).toBe(false);
  await inDialog(page, "Test connection").click();
  await dialogSays(page, "This host is in a private network");
  await expect.poll(() => focusedField(page)).toBe("Incoming mail server");
  // What was typed is not lost by Esc without a question.
  await page.keyboard.press("Escape");
  await expect.poll(() => page.getByRole("alertdialog").or(dialogOf(page)).last().innerText()).toContain("Discard");
});

test("mails over HTTP need no server, and their address is shown to copy", async () => {
  const shop = await anotherTeam(server);
  const { page, complaints } = await signIn(shop, "/settings/channels");
  await button(page, "Connect a mailbox").click();
  await enterAddress(page, "door@acme.local");
  await dialogOf(page).getByText("Advanced", { exact: true }).click();
  await page.getByLabel("How emails arrive").selectOption("http");
  await page.getByLabel("Replies are sent through").selectOption("installation");
  await inDialog(page, "Test connection").click();
  // This server has no SMTP_URL.
  await dialogSays(page, "ask the operator to set SMTP_URL");
  await inDialog(page, "Connect anyway").click();
  const url = () => page.getByRole("region", { name: "Callback URL" }).innerText();
  await expect.poll(url).toMatch(/\/inbound\/email\/\S+$/);
  const posted = await fetch(await url(), {
    method: "POST",
    headers: { "content-type": "message/rfc822" },
    body: mailOf("By HTTP"),
  });
  expect(posted.status).toBe(200);
  await expect.poll(async () => (await shop.api.listConversations()).data.length).toBe(1);
  // The state follows by itself.
  await says(page, "Failing");
  expect(complaints).toEqual([]);
});

test("a password that is no longer right: the page says so, and takes a new one for both servers", async () => {
  const shop = await anotherTeam(server);
  const mailbox = await mailboxOf(shop, "billing@acme.local", "old-password");
  await expect.poll(async () => (await mailbox.read()).state).toBe("needs-sign-in");
  const { page, complaints } = await signIn(shop, "/settings/channels");
  await says(page, /Support\s+Needs sign-in.*billing@acme\.local/s);
  await page.getByRole("link", { name: "Support" }).click();
  await says(page, /Needs sign-in.*(user name|password)/s);
  expect(await violations(page, "a mailbox that needs a sign-in", inDarkScheme)).toEqual([]);
  await button(page, "Enter password").click();
  const password = dialogOf(page).getByLabel("Password", { exact: true });
  await expect.poll(() => focusedField(page)).toBe("Password");
  expect(await password.getAttribute("placeholder")).toBe("Set");
  expect(await violationsInDepth(page, "editing a mailbox")).toEqual([]);
  await page.keyboard.type(dovecot.password);
  await page.keyboard.press("Enter");
  await dialogOf(page).waitFor({ state: "detached" });
  // It is tried at once, and again by the service itself.
  await expect
    .poll(() => page.getByRole("list", { name: "Test results" }).getByRole("listitem").allInnerTexts())
    .toHaveLength(5);
  await says(page, /Support\s+Active/);

  // An empty password keeps the stored one.
  await button(page, "Edit").click();
  await dialogOf(page).getByText("Advanced", { exact: true }).click();
  await page.getByLabel("On the mail server, fetched emails are").selectOption("flag");
  await page.getByRole("switch", { name: "Replies from mail apps" }).click();
  await button(page, "Save changes").last().click();
  await dialogOf(page).waitFor({ state: "detached" });
  const { settings } = await mailbox.read();
  expect(settings).toMatchObject({
    inbound: { after_import: "flag", sent_folder: false, password_set: true },
    outbound: { port: smtp.port, password_set: true },
  });
  await button(page, "Check now").click();
  await says(page, "The folder “INBOX” can be read");
  expect(complaints).toEqual([]);
});

test("what is wrong is said in the agent's language, and an old sentence of the service as it is", async () => {
  const shop = await anotherTeam(server);
  const mailbox = await mailboxOf(shop, "hilfe@acme.local", "old-password");
  await expect.poll(async () => (await mailbox.read()).state).toBe("needs-sign-in");
  const { page, complaints } = await signIn(shop, mailbox.path, { locale: "de" });
  // Trying it and reading it may give different reasons.
  await says(
    page,
    /Der Mailserver akzeptiert den Benutzernamen|127\.0\.0\.1 akzeptiert Benutzernamen und Passwort nicht/,
  );
  await button(page, "Jetzt prüfen").click();
  await says(
    page,
    "127.0.0.1 akzeptiert Benutzernamen und Passwort nicht. Prüfe beides oder erstelle ein App-Passwort.",
  );
  expect(await page.locator("[lang=en]").count()).toBe(0);
  expect(await violations(page, "a mailbox in German")).toEqual([]);
  const old = "state = 'needs-sign-in', state_reason = 'The server of last year is away.'";
  await expect
    .poll(async () => {
      // The mailbox goes on being tried, which may note what is wrong now.
      await query(shop.frontdesk.running().storage, `UPDATE channel_accounts SET ${old} WHERE id = '${mailbox.id}'`);
      return main(page).innerText();
    })
    .toMatch(/Der Mailserver akzeptiert den Benutzernamen.*The server of last year is away\./s);
  expect(await page.locator("[lang=en]").innerText()).toBe("The server of last year is away.");
  expect(await violations(page, "an old sentence in German")).toEqual([]);
  expect(complaints).toEqual([]);
});
