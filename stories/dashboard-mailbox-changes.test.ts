/** A mailbox that is connected, in a real browser: its name and its lists of addresses, paused and deleted, and mails of others. */
import { inDarkScheme, violations, violationsInDepth } from "@frontdesk/testing/accessibility";
import { dialogOf, signIn } from "@frontdesk/testing/agent-browser";
import { startDovecot } from "@frontdesk/testing/dovecot";
import { button, dialogSays, focusedField, inDialog, mailboxOn, says } from "@frontdesk/testing/mailbox-pages";
import { loopbackConnector, mailOf } from "@frontdesk/testing/read-mailbox";
import { startScriptedSmtp } from "@frontdesk/testing/scripted-smtp";
import { query } from "@frontdesk/testing/second-app";
import { anotherTeam, openShop } from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";

const dovecot = await startDovecot();
afterAll(() => dovecot.stop());
const smtp = await startScriptedSmtp();
afterAll(() => smtp.close());
const server = await openShop("sqlite", { CHANNEL_ALLOWED_NETWORKS: "127.0.0.0/8" }, afterAll);

const mailboxOf = mailboxOn({ dovecot, smtp });
/** The automatic reply below has a form of its own. */
const savesReplies = (page: Page) => button(page, "Save changes").first().click();

test("a mailbox is named, paused, resumed and deleted, and the audit log says so", async () => {
  const shop = await anotherTeam(server);
  const mailbox = await mailboxOf(shop, "sales@acme.local");
  await expect.poll(async () => (await mailbox.read()).state).toBe("active");
  const { page, complaints } = await signIn(shop, mailbox.path);
  await page.getByRole("heading", { name: "Support" }).waitFor();

  await page.getByLabel("Name (optional)").fill("Sales");
  await page.getByLabel("Sender name").fill("Acme Sales");
  await page.getByRole("switch", { name: "Plus addressing" }).click();
  await page.getByLabel("Undo send (seconds)").fill("20");
  await page.getByLabel("Emails a minute").fill("12");
  await page.getByLabel("Reopen for (days)").fill("90");
  await savesReplies(page);
  await page.getByRole("heading", { name: "Sales" }).waitFor();
  expect(await mailbox.read()).toMatchObject({
    name: "Sales",
    settings: { display_name: "Acme Sales", plus_addressing: false, hold_seconds: 20, pace: 12, reopen_days: 90 },
  });

  await button(page, "More").click();
  await page.getByRole("menuitem", { name: "Pause" }).click();
  await inDialog(page, "Pause").click();
  await says(page, /Sales\s+Paused.*New emails are kept/s);
  expect((await mailbox.read()).state).toBe("paused");
  await button(page, "Resume").click();
  await says(page, /Sales\s+Active/);
  await expect.poll(async () => (await mailbox.read()).state).toBe("active");

  // The name is typed; Enter alone deletes nothing.
  await button(page, "More").click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await dialogSays(page, "Its conversations stay");
  expect(await violationsInDepth(page, "the question")).toEqual([]);
  await page.keyboard.press("Enter");
  await dialogSays(page, "This doesn’t match the name");
  await dialogOf(page).getByLabel("Type “Sales” to confirm").fill("sales");
  await page.keyboard.press("Enter");
  await says(page, "No channels yet");
  expect(page.url()).toMatch(/\/settings\/channels$/);
  expect((await shop.api.listChannels()).data).toEqual([]);

  await page.getByRole("link", { name: "Audit log" }).click();
  await says(page, /Channel “Sales” removed.*Channel “Sales” changed.*Channel “Support” added/s);
  // A look at the state that was under way finds the account gone.
  expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
});

test("aliases and the senders of web forms are lists of addresses, and a wrong one is named at its field", async () => {
  const shop = await anotherTeam(server);
  const mailbox = await mailboxOf(shop, "team@acme.local");
  const { page, complaints } = await signIn(shop, mailbox.path);
  const [aliases, forms] = [page.getByLabel("Aliases"), page.getByLabel("Senders of web forms")];
  await aliases.fill("Sales@ACME.example\n\ninfo");
  await savesReplies(page);
  await says(page, "Not an email address: info");
  await expect.poll(() => focusedField(page)).toBe("Aliases");
  expect(await violations(page, "a wrong alias", inDarkScheme)).toEqual([]);
  await aliases.fill("Sales@ACME.example");
  await forms.fill("wordpress@web.example");
  await savesReplies(page);
  await expect
    .poll(async () => (await mailbox.read()).settings)
    .toMatchObject({ aliases: ["Sales@acme.example"], form_senders: ["wordpress@web.example"] });
  await page.reload();
  await expect.poll(() => aliases.inputValue()).toBe("Sales@acme.example");
  expect(await forms.inputValue()).toBe("wordpress@web.example");
  expect(complaints.filter((text) => !text.includes("422"))).toEqual([]);
});

test("an address that bounced is allowed again", async () => {
  const shop = await anotherTeam(server);
  const mailbox = await mailboxOf(shop, "returns@acme.local");
  await query(
    shop.frontdesk.running().storage,
    `INSERT INTO mail_suppressions (team_id, account_id, address, reason, created_at)
     VALUES ('${shop.teamId}', '${mailbox.id}', 'gone@vera.example', '550 5.1.1 No such user', 0)`,
  );
  const { page, complaints } = await signIn(shop, mailbox.path);
  await says(page, /gone@vera\.example\s+550 5\.1\.1 No such user/);
  await button(page, "Allow gone@vera.example again").click();
  await says(page, "No addresses are suppressed");
  expect((await shop.api.listSuppressions({ params: { id: mailbox.id } })).data).toEqual([]);
  expect(complaints).toEqual([]);
});

test("a reply that a teammate sends from a mail app is in the open conversation", async () => {
  const shop = await anotherTeam(server);
  const address = "desk@acme.local";
  const mailbox = await mailboxOf(shop, address);
  const positions = `SELECT account_id FROM mail_folders WHERE team_id = '${shop.teamId}' AND sent_position IS NOT NULL`;
  await expect.poll(() => query(shop.frontdesk.running().storage, positions)).toEqual([{ account_id: mailbox.id }]);
  const connected = Math.floor(Date.now() / 1_000);
  await expect.poll(() => Math.floor(Date.now() / 1_000)).toBeGreaterThan(connected);
  dovecot.deliver(address, mailOf("Size 40"));
  await expect.poll(async () => (await shop.api.listConversations()).data.length).toBe(1);
  const [conversation] = (await shop.api.listConversations()).data;
  const { page, complaints } = await signIn(shop, `/inbox/${conversation?.id}`);
  await says(page, "Hello");

  const server127 = { host: "127.0.0.1", port: dovecot.port, security: "none", username: address } as const;
  const account = { ...server127, teamId: "", accountId: "", password: dovecot.password, folder: "INBOX" } as const;
  const reading = { afterImport: "leave", sentFolder: false } as const;
  const { client } = await loopbackConnector({ ...account, ...reading }, new AbortController().signal);
  await client.connect();
  const head = [`From: ${address}`, "To: vera@customer.example", "Message-ID: <reply@acme.local>"];
  const answers = "In-Reply-To: <Size%2040@customer.example>";
  await client.append("Sent", [...head, answers, "Subject: Re: Size 40", "", "In stock, by mail", ""].join("\r\n"));
  client.close();
  // The folder is looked at when something comes in, else every minute.
  dovecot.deliver(address, mailOf("Another matter"));
  await says(page, "In stock, by mail");
  await says(page, "Sent from a mail app");
  expect(await violations(page, "a reply from a mail app", inDarkScheme)).toEqual([]);
  expect(complaints).toEqual([]);
});
