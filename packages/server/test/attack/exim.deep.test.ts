/** Mails through a real Exim: it hands them over by LMTP, takes the replies, and says in its own words what it could not deliver (reference B28, B29, B31). */
import { hasExim, startExim } from "@frontdesk/testing/exim";
import { freePort } from "@frontdesk/testing/free-port";
import { type ScriptedSmtp, startScriptedSmtp } from "@frontdesk/testing/scripted-smtp";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { createTransport } from "nodemailer";
import { expect, onTestFinished, test } from "vitest";

const ADDRESS = "support@acme.example";
const VERA = "vera@customer.example";

/** A team whose mails come and go by Exim, and the mail server of its customers. */
async function scene() {
  const lmtpPort = await freePort();
  const kit = await startTestApp({ LMTP_PORT: `${lmtpPort}`, CHANNEL_ALLOWED_NETWORKS: "127.0.0.0/8" });
  await kit.app.start();
  const customers: ScriptedSmtp = await startScriptedSmtp();
  onTestFinished(() => customers.close());
  const exim = await startExim({
    ...{ domain: "acme.example", lmtpPort, customers: "customer.example", smtpPort: customers.port },
  });
  onTestFinished(() => exim.stop());
  const acme = await kit.team();
  const outbound = { host: "127.0.0.1", port: exim.port, security: "none", username: null };
  const made = await acme.post("/channels", {
    ...{ channel: "email", widget_id: acme.widgetId },
    settings: { address: ADDRESS, inbound: { kind: "http" }, outbound },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const program = createTransport({ host: "127.0.0.1", port: exim.port, ignoreTLS: true });
  onTestFinished(() => program.close());
  return { ...kit, acme, exim, customers, program };
}

test.skipIf(!hasExim)(
  "a reply through Exim arrives, waits while the other side is away, and fails with its words when it returns it",
  async () => {
    const { storage, clock, acme, exim, customers, program } = await scene();
    await program.sendMail({ from: VERA, to: ADDRESS, subject: "Size 40?", text: "Do you have it?" });
    const conversations = () => query(storage, "SELECT id FROM conversations");
    await expect.poll(conversations).toHaveLength(1);
    const id = String((await conversations())[0]?.id);
    const messages = async () =>
      (await query(storage, "SELECT type, content FROM messages ORDER BY sort_number")).map(({ type }) => String(type));
    const newest = async () => {
      const { body } = await acme.get(`/conversations/${id}/messages?include_fields=content,type,delivery`);
      return body.data[0].attributes;
    };
    const reply = async (content: string) => {
      const sent = await acme.post("/messages", { conversation_id: id, content });
      expect(sent.status).toBe(201);
      await expect.poll(async () => (await newest()).delivery?.state).toBe("sent");
      return sent.body.data.id as string;
    };
    await reply("We do.");
    await expect.poll(() => customers.mails.length).toBe(1);
    expect(customers.mails[0]).toMatchObject({ from: ADDRESS, to: [VERA] });

    // The other side is away: Exim says so to the sender, and that is no message and no failure.
    customers.plays({ rcpt: { "*": "451 4.3.0 Not now" } });
    const imports = () => query(storage, "SELECT state FROM mail_imports");
    const taken = (await imports()).length;
    const delayed = await reply("In blue, too.");
    await expect.poll(() => exim.log()).toMatch(/Warning: message .* delayed|451 4\.3\.0 Not now/);
    await expect.poll(async () => (await imports()).length).toBeGreaterThan(taken);
    await expect.poll(async () => (await imports()).every(({ state }) => state !== "stored")).toBe(true);
    expect((await messages()).filter((type) => type === "message")).toHaveLength(3);
    customers.plays({});
    await expect.poll(() => customers.mails.length).toBe(2);
    const recipients = (message: string) =>
      query(storage, `SELECT address, state, reason FROM mail_recipients WHERE message_id = '${message}'`);
    expect(await recipients(delayed)).toMatchObject([{ address: VERA, state: "sent" }]);

    // Then the mailbox is gone: what Exim returns is the failure of this reply, and nothing more is sent there.
    clock.advance(60_000);
    customers.plays({ rcpt: { "*": "550 5.1.1 No such user here" } });
    const returned = await reply("And in red.");
    await expect
      .poll(() => recipients(returned))
      .toEqual([{ address: VERA, state: "failed", reason: expect.stringContaining("No such user here") }]);
    expect((await messages()).filter((type) => type === "message")).toHaveLength(4);
    const refused = await acme.post("/messages", { conversation_id: id, content: "Hello?" });
    expect(refused.status).toBe(422);
    expect(await conversations()).toHaveLength(1);
  },
);
