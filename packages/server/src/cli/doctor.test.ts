import { startDeliveringSmtp } from "@frontdesk/testing/delivering-smtp";
import { startDovecot } from "@frontdesk/testing/dovecot";
import { openBin } from "@frontdesk/testing/frontdesk-bin";
import { mailOf } from "@frontdesk/testing/read-mailbox";
import { query } from "@frontdesk/testing/second-app";
import { expect, onTestFinished, test } from "vitest";

interface Connected {
  data: { attributes: { callback_url: string } };
}

const [shop, desk] = [await openBin(), await openBin()];

test("doctor beside the running server says that all is well, with code 0; with a problem it ends with code 1", async () => {
  const { port } = await shop.serve();
  const { code, answer } = await shop.json(["doctor"], { PORT: port });
  const { ok, checks } = answer;
  expect([code, ok]).toEqual([0, true]);
  expect(checks).toContainEqual({
    name: "public address",
    state: "ok",
    says: `http://127.0.0.1:${port} responds.`,
  });

  const said = await shop.run(["doctor"], { PORT: "x", LOG_LEVEL: "loud" });
  expect(said).toMatchObject({ code: 1, stderr: "" });
  expect(said.stdout).toMatch(/^✗ settings: PORT is "x".*\n {4}LOG_LEVEL is "loud".*\n {4}→ Fix them/);
  expect(said.stdout).toMatch(/\n✓ storage: /);
  expect(said.stdout).toMatch(/\n1 problem to fix\.\n$/);
});

test("doctor --mail beside the running server: mailboxes send mails to themselves, which become no conversations", async () => {
  const dovecot = await startDovecot();
  const smtp = await startDeliveringSmtp(dovecot);
  onTestFinished(async () => void (await Promise.all([dovecot.stop(), smtp.stop()])));
  const ada = ["--team", "Acme", "--name", "Ada", "--email", "ada@acme.test", "--password", "correct horse"];
  const { answer: made } = await desk.json(["setup", ...ada, "--api-key", "main"]);
  const env = { CHANNEL_ALLOWED_NETWORKS: "127.0.0.0/8" };
  const { url, port } = await desk.serveHere(env);
  const connect = async (user: string, inbound: object) => {
    const at = { host: "127.0.0.1", security: "none", username: user, password: dovecot.password };
    const settings = { address: `${user}@acme.example`, outbound: { ...at, port: smtp.port } };
    const channel = { channel: "email", widget_id: made.widget_id, settings: { ...settings, inbound } };
    const headers = { "x-api-key": made.api_key, "content-type": "application/json" };
    const answer = await fetch(`${url}/api/v1/channels`, { method: "POST", headers, body: JSON.stringify(channel) });
    expect(answer.status).toBe(201);
    return ((await answer.json()) as Connected).data.attributes.callback_url;
  };
  const imap = { kind: "imap", host: "127.0.0.1", port: dovecot.port, security: "none", username: "support" };
  await connect("support", { ...imap, password: dovecot.password });
  const door = new URL(await connect("orders", { kind: "http" })).pathname;
  const post = (body: string) =>
    fetch(`${url}${door}`, { method: "POST", headers: { "content-type": "message/rfc822" }, body });
  smtp.delivers = async (raw) => {
    if (!raw.includes("To: <orders@")) return { raw };
    expect((await post(raw)).status).toBe(200);
    return undefined;
  };

  const isRead = "SELECT 1 FROM mail_folders WHERE connected_at IS NOT NULL";
  await expect.poll(async () => (await query(desk.storage, isRead)).length).toBe(1);

  const silentRun = await desk.call(["doctor", "--json"], { ...env, PORT: port });
  expect(silentRun.stdout).not.toContain("test email");
  expect(smtp.taken).toEqual([]);

  const { code, stdout, stderr } = await desk.call(["doctor", "--mail", "--json"], { ...env, PORT: port });
  const { ok, checks } = JSON.parse(stdout);
  expect([code, ok, stderr]).toEqual([0, true, ""]);
  expect(checks.slice(-3)).toMatchObject([
    { name: "test email of support@acme.example", state: "ok", says: expect.stringContaining("INBOX") },
    { name: "sender checks of support@acme.example", state: "note" },
    { name: "test email of orders@acme.example", state: "ok", says: expect.stringContaining("It came in ") },
  ]);
  expect(smtp.taken.map(({ user }) => user).toSorted()).toEqual(["orders", "support"]);

  // What is taken after them is imported after them.
  dovecot.deliver("support", mailOf("One"));
  await post(mailOf("Two"));
  const subjects = async () =>
    (await query(desk.storage, "SELECT email_subject FROM conversations")).map((row) => row.email_subject);
  await expect.poll(async () => (await subjects()).length).toBe(2);
  expect((await subjects()).toSorted()).toEqual(["One", "Two"]);

  const { delivers } = smtp;
  smtp.delivers = async (raw) => {
    const delivered = await delivers(raw);
    const results = "Authentication-Results: mx\u001b[2J.\u009b2J\u202eexample; spf=pass";
    return delivered && { raw: `${results}\r\n${delivered.raw}` };
  };
  const shown = await desk.call(["doctor", "--mail"], { ...env, PORT: port });
  expect(shown.stdout).toMatch(/\n· sender checks of support@acme\.example: mx.* found SPF pass/);
  expect(shown.stdout.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);

  smtp.refusal = "5.7.1 Not from here";
  const refused = await desk.call(["doctor", "--mail"], { ...env, PORT: port });
  expect(refused.code).toBe(1);
  expect(refused.stdout).toMatch(
    /\n✗ test email of support@acme\.example: 127\.0\.0\.1 didn't accept it: 550 5\.7\.1 Not from here\.\n {4}→ /,
  );
  expect(refused.stdout).toMatch(/\n2 problems to fix\.\n$/);
});
