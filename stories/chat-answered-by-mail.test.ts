/** The mail about a chat is answered from a mail program: the answer is in the chat, and a stranger's is not (reference B39). */
import { signIn } from "@frontdesk/testing/agent-browser";
import { type DeliveringSmtp, startDeliveringSmtp } from "@frontdesk/testing/delivering-smtp";
import { type Dovecot, startDovecot } from "@frontdesk/testing/dovecot";
import { readMail } from "@frontdesk/testing/mail-server";
import { query } from "@frontdesk/testing/second-app";
import { bubbles, openChat, openShop, type Shop, visit, write } from "@frontdesk/testing/visitor-browser";
import { createTransport } from "nodemailer";
import { expect, onTestFinished, test } from "vitest";

const VERA = "vera@people.example";
const SUPPORT = "support@acme.example";

/** A mailbox of the team: mails to it come to a Dovecot, and replies leave by the mail server that takes all mails. */
async function connectMailbox(shop: Shop, dovecot: Dovecot, smtp: DeliveringSmtp): Promise<void> {
  const at = { host: "127.0.0.1", security: "none", username: "support", password: dovecot.password } as const;
  await shop.api.createChannel({
    body: {
      ...{ channel: "email", widget_id: shop.widgetId },
      settings: {
        ...{ address: SUPPORT, hold_seconds: 0 },
        inbound: { kind: "imap", port: dovecot.port, ...at },
        outbound: { port: smtp.port, ...at },
      },
    },
  });
  const { storage } = shop.frontdesk.running();
  const positions = "SELECT uid_validity FROM mail_folders WHERE uid_validity IS NOT NULL";
  await expect.poll(() => query(storage, positions)).toHaveLength(1);
}

test("a visitor who has left answers the mail about their chat, and goes on in the chat", async () => {
  const dovecot = await startDovecot();
  onTestFinished(() => dovecot.stop());
  const smtp = await startDeliveringSmtp(dovecot);
  onTestFinished(() => smtp.stop());
  const shop = await openShop("sqlite", {
    ...{ SMTP_URL: `smtp://frontdesk:secret@127.0.0.1:${smtp.port}`, MAIL_FROM: "Acme <chat@acme.example>" },
    CHANNEL_ALLOWED_NETWORKS: "127.0.0.0/8",
  });
  await connectMailbox(shop, dovecot, smtp);
  const program = createTransport({
    ...{ host: "127.0.0.1", port: smtp.port, ignoreTLS: true },
    auth: { user: "anyone", pass: "secret" },
  });
  onTestFinished(() => program.close());

  // Vera asks, with her address as the team is away, and leaves.
  const website = `${shop.frontdesk.origin}/demo/${shop.widgetId}`;
  const { page, complaints } = await visit(website);
  const chat = await openChat(page);
  await chat.fill("#email", VERA);
  await write(chat, "Do you ship to Portugal?");
  await expect.poll(() => chat.locator(".waiting").count()).toBe(0);
  await page.goto("about:blank");

  // Ada replies, and what isn't seen is mailed.
  const { page: dashboard, complaints: agentComplaints } = await signIn(shop);
  const row = (text: string) => dashboard.locator("[role=listitem]").filter({ hasText: text });
  const message = (text: string) => dashboard.locator("[data-index]").filter({ hasText: text });
  await row("Do you ship to Portugal?").locator("a").click();
  const field = dashboard.locator("section textarea");
  await field.fill("We do, in three days.");
  await field.press("Enter");
  // Stored: the dashboard shows it before.
  await message("in three days").getByText("Sent", { exact: true }).waitFor();
  const mailsToVera = () => smtp.taken.filter(({ user }) => user === "vera").map(readMail);
  const { storage } = shop.frontdesk.running();
  // Minutes pass, and she counts as away.
  await query(storage, `UPDATE messages SET created_at = created_at - ${5 * 60_000}`);
  await expect
    .poll(
      async () => {
        await query(storage, "UPDATE timers SET due_at = 0 WHERE kind = 'mail-replies'");
        return mailsToVera().length;
      },
      { interval: 500 },
    )
    .toBe(1);
  const mail = mailsToVera()[0];
  const replyTo = mail?.header("Reply-To") ?? "";
  expect(mail?.part("text/plain")).toContain("We do, in three days.");
  expect(replyTo).toMatch(/support\+r\.[a-z2-7]{26}@acme\.example/);

  /** Answers the mail as a mail program does: with a quote of it. */
  const answers = (from: string, text: string) =>
    program.sendMail({
      ...{ from, to: replyTo, subject: `Re: ${mail?.header("Subject")}` },
      inReplyTo: mail?.header("Message-ID") ?? "",
      text: `${text}\n\nOn Sat, 28 Nov 2026 at 10:00, Acme <${SUPPORT}> wrote:\n> We do, in three days.\n`,
    });

  // Back on the website: her answer from the mail program comes into the open chat, and to Ada.
  await page.goto(website);
  const again = await openChat(page);
  await expect.poll(() => bubbles(again)).toEqual(["Do you ship to Portugal?", "We do, in three days."]);
  await answers(`Vera <${VERA}>`, "Great, I take two.");
  await expect.poll(() => bubbles(again)).toContain("Great, I take two.");
  await message("I take two").waitFor();
  expect(await message("I take two").innerText()).not.toContain("wrote:");

  // Who was forwarded the mail writes to the team alone.
  await answers("Mallory <mallory@evil.example>", "Which address does it go to?");
  await row("Which address does it go to?").waitFor();
  await row("I take two").waitFor();

  // The chat goes on both ways.
  await answers(`Vera <${VERA}>`, "And a pot.");
  await expect
    .poll(() => bubbles(again))
    .toEqual(["Do you ship to Portugal?", "We do, in three days.", "Great, I take two.", "And a pot."]);
  await field.fill("Both are on their way.");
  await field.press("Enter");
  await expect.poll(() => bubbles(again)).toContain("Both are on their way.");
  expect((await bubbles(again)).join()).not.toContain("Which address");
  expect(complaints).toEqual([]);
  expect(agentComplaints).toEqual([]);
});
