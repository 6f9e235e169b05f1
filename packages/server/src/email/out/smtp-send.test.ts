/** One session against a server that answers, and hangs up, at each step (reference: B27, B28, B36; F18, F19). */

import { startMailServer } from "@frontdesk/testing/mail-server";
import { type SmtpScript, startScriptedSmtp } from "@frontdesk/testing/scripted-smtp";
import { describe, expect, onTestFinished, test } from "vitest";
import { allowedNetworks } from "../../outbound/allowed-networks.ts";
import { vettedSockets } from "../../outbound/vetted-socket.ts";
import { serverSays } from "./smtp-answer.ts";
import { type MailServerAccess, type MailToSend, sendBySmtp } from "./smtp-send.ts";

const sockets = vettedSockets({ allowed: allowedNetworks(["127.0.0.0/8"]) });
const mail: MailToSend = {
  from: "support@acme.example",
  to: ["vera@example.com", "will@example.com"],
  raw: Buffer.from("Subject: Hello\r\n\r\nHello\r\n.a line that begins with a dot\r\n"),
};

const own = (port: number, change: Partial<MailServerAccess & { kind: "own" }> = {}): MailServerAccess => ({
  ...{ kind: "own", host: "127.0.0.1", port, security: "none", username: "ada", password: "secret" },
  ...change,
});

async function server(script: SmtpScript) {
  const started = await startScriptedSmtp(script);
  onTestFinished(() => started.close());
  const send = (change: Partial<MailToSend> = {}, signal = new AbortController().signal) =>
    sendBySmtp({ access: own(started.port), sockets, mail: { ...mail, ...change } }, signal);
  return { ...started, send };
}

test("a mail that is taken is sent to each recipient, in the bytes that were given", async () => {
  const { send, mails, commands } = await server({ dot: "250 2.0.0 Ok: queued as 4711" });
  expect(await send()).toEqual({
    outcome: "answered",
    recipients: [
      { address: "vera@example.com", state: "sent" },
      { address: "will@example.com", state: "sent" },
    ],
    response: "250 2.0.0 Ok: queued as 4711",
    serverMessageId: null,
  });
  expect(mails).toEqual([
    {
      from: mail.from,
      to: [...mail.to],
      raw: Buffer.from(mail.raw).toString().replace("\r\n.a", "\r\n..a"),
    },
  ]);
  expect(commands.filter((line) => line.startsWith("AUTH"))).toHaveLength(1);
});

test("what the server says of one recipient changes nothing for the others", async () => {
  const { send, mails } = await server({
    rcpt: { "vera@example.com": "550 5.1.1 No such user", "will@example.com": "451 4.2.1 Try later" },
  });
  expect(await send({ to: ["vera@example.com", "will@example.com", "petra@example.com"] })).toMatchObject({
    outcome: "answered",
    recipients: [
      { address: "vera@example.com", state: "refused", reason: serverSays("550 5.1.1 No such user") },
      { address: "will@example.com", state: "later", reason: serverSays("451 4.2.1 Try later") },
      { address: "petra@example.com", state: "sent" },
    ],
  });
  expect(mails.map(({ to }) => to)).toEqual([["petra@example.com"]]);
});

const both = (state: "refused" | "later", reason: string) => ({
  outcome: "answered",
  recipients: mail.to.map((address) => ({ address, state, reason: serverSays(reason) })),
});

describe("an answer", () => {
  test.each<[SmtpScript, object]>([
    [{ greeting: "421 4.3.2 busy" }, { outcome: "retry", reason: serverSays("421 4.3.2 busy") }],
    [{ greeting: "554 5.3.2 closed" }, { outcome: "retry", reason: serverSays("554 5.3.2 closed") }],
    [
      { auth: "535 5.7.8 wrong" },
      { outcome: "trouble", state: "needs-sign-in", reason: serverSays("535 5.7.8 wrong") },
    ],
    [{ auth: "454 4.7.0 later" }, { outcome: "retry", reason: serverSays("454 4.7.0 later") }],
    [{ mail: "530 5.7.0 sign in first" }, { outcome: "trouble", state: "needs-sign-in" }],
    [{ rcpt: { "*": "530 5.7.0 sign in first" } }, { outcome: "trouble", state: "needs-sign-in" }],
    [{ mail: "530 5.7.0 Must issue a STARTTLS command first" }, { outcome: "trouble", state: "failing" }],
    [{ mail: "451 4.3.0 later" }, both("later", "451 4.3.0 later")],
    [{ mail: "550 5.7.1 not you" }, both("refused", "550 5.7.1 not you")],
    [{ mail: "550 5.4.5 daily limit" }, { outcome: "pause", afterMs: 3_600_000 }],
    [{ rcpt: { "*": "550 5.1.1 nobody" } }, both("refused", "550 5.1.1 nobody")],
    [{ rcpt: { "*": "450 4.2.0 later" } }, both("later", "450 4.2.0 later")],
    [{ data: "451 4.3.0 later" }, both("later", "451 4.3.0 later")],
    [{ data: "554 5.5.1 no" }, both("refused", "554 5.5.1 no")],
    [{ dot: "452 4.3.1 disk full" }, both("later", "452 4.3.1 disk full")],
    [{ dot: "554 5.6.0 spam" }, both("refused", "554 5.6.0 spam")],
    [{ dot: "421 4.7.28 too fast" }, { outcome: "pause", afterMs: 600_000 }],
    [{ dot: "552-5.3.4 too\r\n552 5.3.4 big" }, both("refused", "552-5.3.4 too 552 5.3.4 big")],
  ])("%j means %j", async (script, result) => {
    const { send } = await server(script);
    expect(await send()).toMatchObject(result);
  });
});

describe("a connection that is lost", () => {
  test.each<[string, SmtpScript]>([
    ["at the greeting", { greeting: "close" }],
    ["at EHLO", { ehlo: "close" }],
    ["while signing in", { auth: "close" }],
    ["at MAIL", { mail: "close" }],
    ["at RCPT", { rcpt: { "*": "close" } }],
    ["at DATA", { data: "close" }],
  ])("%s has sent nothing", async (_where, script) => {
    const { send, mails } = await server(script);
    expect(await send()).toMatchObject({ outcome: "retry" });
    expect(mails).toEqual([]);
  });

  test("in the middle of a mail has sent nothing", async () => {
    const { send, mails } = await server({ inData: { bytes: 100_000, step: "close" } });
    const raw = Buffer.from(`Subject: Long\r\n\r\n${"A line of text.\r\n".repeat(2_000_000)}`);
    expect(await send({ raw })).toMatchObject({ outcome: "retry" });
    expect(mails).toEqual([]);
  });

  test("after the final dot leaves unknown what became of the mail", async () => {
    const { send, mails } = await server({ dot: "close" });
    expect(await send()).toMatchObject({ outcome: "unknown" });
    expect(mails).toHaveLength(1);
  });
});

describe("the signal", () => {
  test("ends a session before the mail is handed over, and nothing is sent", async () => {
    const { send, silent, mails } = await server({ mail: "silence" });
    const stop = new AbortController();
    const sending = send({}, stop.signal);
    await silent();
    stop.abort();
    expect(await sending).toEqual({ outcome: "aborted" });
    expect(mails).toEqual([]);
  });

  test("after the final dot leaves unknown what became of the mail", async () => {
    const { send, silent } = await server({ dot: "silence" });
    const stop = new AbortController();
    const sending = send({}, stop.signal);
    await silent();
    stop.abort();
    expect(await sending).toMatchObject({ outcome: "unknown" });
  });

  test("that was given before connects to nothing", async () => {
    const { send, sessions } = await server({});
    expect(await send({}, AbortSignal.abort())).toEqual({ outcome: "aborted" });
    expect(sessions()).toBe(0);
  });
});

describe("the account is in trouble", () => {
  const never = new AbortController().signal;
  const trouble = { outcome: "trouble", state: "failing" };

  test("when its server has a certificate that is not trusted, or no STARTTLS; nothing is said in plain text", async () => {
    const { port, stop, inbox } = await startMailServer({ offersTls: true });
    onTestFinished(stop);
    const access = own(port, { security: "starttls", username: null });
    expect(await sendBySmtp({ access, sockets, mail }, never)).toMatchObject(trouble);
    const plain = await server({});
    const withoutTls = own(plain.port, { security: "starttls" });
    expect(await sendBySmtp({ access: withoutTls, sockets, mail }, never)).toMatchObject(trouble);
    expect(plain.commands.filter((line) => !/^(EHLO|STARTTLS)/.test(line))).toEqual([]);
    expect(inbox).toEqual([]);
  });

  test("when its server is not on the public internet", async () => {
    const { port, sessions } = await server({});
    const guarded = vettedSockets({ allowed: allowedNetworks([]) });
    const access = own(port, { security: "tls" });
    expect(await sendBySmtp({ access, sockets: guarded, mail }, never)).toMatchObject(trouble);
    expect(sessions()).toBe(0);
  });
});

test("a server that nothing listens at is tried again", async () => {
  const { port, close } = await startScriptedSmtp();
  await close();
  const sending = sendBySmtp({ access: own(port), sockets, mail }, new AbortController().signal);
  expect(await sending).toMatchObject({ outcome: "retry" });
});

test("the installation's server takes the mails of accounts without one of their own", async () => {
  const { port, stop, inbox } = await startMailServer();
  onTestFinished(stop);
  const access: MailServerAccess = {
    ...{ kind: "installation", host: "127.0.0.1", port, secure: false, requireTls: false },
    ...{ username: "", password: "" },
  };
  const guarded = vettedSockets({ allowed: allowedNetworks([]) });
  const result = await sendBySmtp({ access, sockets: guarded, mail }, new AbortController().signal);
  expect(result).toMatchObject({ outcome: "answered" });
  expect(inbox.map(({ from, to }) => ({ from, to }))).toEqual([{ from: mail.from, to: [...mail.to] }]);
});
