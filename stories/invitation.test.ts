import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { newInstallation } from "@frontdesk/testing/installation";
import { SMTPServer } from "smtp-server";
import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../packages/client/src/index.ts";

test("an invitation arrives by e-mail with the same link that the API answers", async () => {
  const received: { to: string; raw: string }[] = [];
  const mailServer = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    async onData(stream, { envelope }, callback) {
      received.push({ to: String(envelope.rcptTo[0]?.address), raw: await text(stream) });
      callback();
    },
  });
  const listening = mailServer.listen(0, "127.0.0.1");
  await once(listening, "listening");
  onTestFinished(() => new Promise<void>((done) => mailServer.close(() => done())));

  const { port } = listening.address() as AddressInfo;
  const frontdesk = await newInstallation("postgres", { SMTP_URL: `smtp://127.0.0.1:${port}` });
  const made = await frontdesk.command(
    ...["setup", "--team", "Acme", "--name", "Ada", "--email", "ada@acme.test", "--password", "correct horse"],
    ...["--widget", "Website", "--api-key", "main"],
  );
  await frontdesk.start();
  const api = createClient({ baseUrl: `${frontdesk.origin}/api/v1`, apiKey: String(made.api_key), retries: 0 });
  const { message } = await api.inviteAgents({ body: { agents: ["grace@acme.test"] } });
  const link = String(/http\S+\/join\/\S+/.exec(message)?.[0]);

  await expect.poll(() => received).toHaveLength(1);
  expect(received[0]?.to).toBe("grace@acme.test");
  // Mails fold long lines (quoted-printable).
  expect(received[0]?.raw.replaceAll("=\r\n", "")).toContain(link);
  expect((await fetch(link)).status).toBe(200);
});
