/** Mails that are handed over by LMTP to a server that is killed over and over: none is lost, none comes twice (docs/decisions/0062-lmtp.md). */
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "@frontdesk/testing/free-port";
import { CLOSED, connectLmtp } from "@frontdesk/testing/lmtp-client";
import { hasPostfix, startPostfix } from "@frontdesk/testing/postfix";
import { query } from "@frontdesk/testing/second-app";
import { engine } from "@frontdesk/testing/test-kit";
import { createTransport } from "nodemailer";
import { expect, onTestFinished, test } from "vitest";
import { call } from "./counting-subscriber.ts";
import { killAndStartAgain } from "./killed-in-jobs.ts";
import { newServerProcess } from "./server-process.ts";

const KILLS = 20;
const MAILS = 100;
const ADDRESS = "support@acme.example";

/** A server process with a mailbox, which takes mails by LMTP. */
async function serverWithMailbox() {
  const lmtpPort = await freePort();
  const postgres = engine === "postgres" ? process.env.TEST_POSTGRES_URL : undefined;
  const server = await newServerProcess(postgres, { LMTP_PORT: `${lmtpPort}` });
  onTestFinished(() => server.remove());
  const team = await server.team("Acme");
  await server.start();
  const settings = { address: ADDRESS, inbound: { kind: "http" } };
  await call(server, team, "/channels", { channel: "email", widget_id: team.widgetId, settings });
  const storage = server.open();
  onTestFinished(() => storage.close());
  /** The texts of all messages, in order. */
  const texts = async () =>
    (await query(storage, "SELECT content FROM messages WHERE type = 'message'"))
      .map(({ content }) => String(content))
      .toSorted();
  return { server, lmtpPort, texts };
}

/** Each of a sender of its own: many mails of one are held. */
const sender = (n: number) => `p${n}@people.example`;
const mailOf = (n: number) => `From: ${sender(n)}\r\nMessage-ID: <${n}@people.example>\r\n\r\nmail ${n}\r\n`;
const textsOf = (count: number) => Array.from({ length: count }, (_, n) => `mail ${n}`).toSorted();

test("a mail whose server is killed before its answer is sent again, and is in once", async () => {
  const { server, lmtpPort, texts } = await serverWithMailbox();
  let answered = 0;
  for (let n = 0; n < KILLS; n += 1) {
    const envelope = { from: sender(n), to: [ADDRESS] };
    const client = await connectLmtp(lmtpPort);
    await client.begin(envelope);
    await client.write(`${mailOf(n)}.\r\n`);
    // Each time at another moment.
    await delay(n);
    await killAndStartAgain(server);
    const answer = await client.answer();
    if (answer !== CLOSED) answered += 1;
    // What was answered is in without a repeat.
    if (answer !== CLOSED && n % 2 === 0) continue;
    const { data } = await (await connectLmtp(lmtpPort)).deliver({ ...envelope, raw: mailOf(n) });
    expect(data).toEqual([expect.stringMatching(/^250 /)]);
  }
  console.log(`${answered} of ${KILLS} mails were answered before the kill.`);
  await expect.poll(texts).toEqual(textsOf(KILLS));
});

test.skipIf(!hasPostfix)(
  "what a Postfix hands over to a server that is killed is in once, and what has no mailbox is returned",
  async () => {
    const { server, lmtpPort, texts } = await serverWithMailbox();
    const postfix = await startPostfix({ domain: "acme.example", lmtpPort });
    onTestFinished(() => postfix.stop());
    const program = createTransport({ host: "127.0.0.1", port: postfix.port, ignoreTLS: true });
    onTestFinished(() => program.close());
    const hand = (n: number, to: string[]) => program.sendMail({ envelope: { from: sender(n), to }, raw: mailOf(n) });
    let restart = Promise.resolve();
    for (let n = 0; n < MAILS; n += 1) {
      await hand(n, [ADDRESS, ADDRESS.replace("@", "+shop@")]);
      // The next ones are handed over while it is away.
      if (n % 20 === 10) restart = restart.then(() => killAndStartAgain(server));
    }
    await restart;
    await expect.poll(texts).toEqual(textsOf(MAILS));
    expect(postfix.log()).toMatch(/to=<support@acme\.example>.*status=deferred/);
    await hand(MAILS, ["unknown@acme.example"]);
    await expect.poll(postfix.log).toMatch(/to=<unknown@acme\.example>.*status=bounced .*550 5\.1\.1/);
    expect(postfix.log()).not.toMatch(/to=<support@acme\.example>.*status=bounced/);
    expect(await texts()).toEqual(textsOf(MAILS));
  },
);
