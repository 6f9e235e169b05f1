/** A mail server on loopback that puts what it takes into the mailboxes of a Dovecot: a mail to oneself comes back. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import type { Dovecot } from "./dovecot.ts";

/** Where a mail gets to, and as what: servers add headers. */
export interface Delivered {
  raw: string;
  /** Default: INBOX. */
  folder?: string;
}

export interface DeliveringSmtp {
  port: number;
  /** What is done with a mail before it is taken; undefined: it gets into no mailbox. A test may replace it. */
  delivers(raw: string): Delivered | undefined | Promise<Delivered | undefined>;
  /** All that was taken. The recipient's local part, without what follows a plus, is the user of the mailbox. */
  taken: { user: string; raw: string }[];
  /** What it answers at the end of a mail instead of taking it. */
  refusal: string | undefined;
  stop(): Promise<void>;
}

/** @param isGoodToken for XOAUTH2; any password is taken */
export async function startDeliveringSmtp(
  dovecot: Pick<Dovecot, "deliver">,
  isGoodToken: (user: string, token: string) => boolean = () => false,
): Promise<DeliveringSmtp> {
  const server = new SMTPServer({
    ...{ authMethods: ["PLAIN", "XOAUTH2"], disabledCommands: ["STARTTLS"], allowInsecureAuth: true },
    onAuth({ username = "", accessToken, password }, _session, done) {
      const isGood = accessToken === undefined ? password !== undefined : isGoodToken(username, accessToken);
      if (isGood) done(null, { user: username });
      else done(null, { message: "Invalid token", data: { status: "401", schemes: "bearer", scope: "mail" } });
    },
    async onData(stream, { envelope }, done) {
      const raw = await text(stream);
      if (smtp.refusal !== undefined) {
        done(Object.assign(new Error(smtp.refusal), { responseCode: 550 }));
        return;
      }
      for (const { address } of envelope.rcptTo) {
        const user = address.slice(0, address.lastIndexOf("@")).replace(/\+.*$/, "");
        smtp.taken.push({ user, raw });
        const delivered = await smtp.delivers(raw);
        if (delivered) dovecot.deliver(user, delivered.raw, delivered.folder);
      }
      done();
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const smtp: DeliveringSmtp = {
    port: (server.server.address() as AddressInfo).port,
    delivers: (raw) => ({ raw }),
    taken: [],
    refusal: undefined,
    stop: () => new Promise<void>((done) => server.close(() => done())),
  };
  return smtp;
}
