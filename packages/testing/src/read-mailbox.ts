/** A session that reads a mailbox into memory, with waits that the test ends. */
import { randomBytes } from "node:crypto";
import { createImapConnector } from "@frontdesk/server/email/imap/connect-imap";
import type { FolderPosition } from "@frontdesk/server/email/imap/folder-position";
import type { SentParts } from "@frontdesk/server/email/imap/follow-sent";
import type { ImapAccount } from "@frontdesk/server/email/imap/imap-account";
import { type ImapSession, type NotedState, startImapSession } from "@frontdesk/server/email/imap/imap-session";
import { allowedNetworks } from "@frontdesk/server/outbound/allowed-networks";
import { vettedSockets } from "@frontdesk/server/outbound/vetted-socket";
import { heldTimeouts } from "./held-timeouts.ts";

/** Connects to this machine, and nowhere else. */
export const loopbackConnector = createImapConnector(
  vettedSockets({ allowed: allowedNetworks(["127.0.0.0/8"]), lookup: () => Promise.resolve([]) }),
);

export function readMailbox(account: Partial<ImapAccount> & { port: number }) {
  const timeouts = heldTimeouts();
  const taken: { uid: number; raw: string; internalDate: number }[] = [];
  const states: NotedState[] = [];
  let steady = 0;
  let session: ImapSession | undefined;
  let attempts = 0;
  const mailbox = {
    taken,
    states,
    subjects: () => taken.map(({ raw }) => /^Subject: (.*)\r$/m.exec(raw)?.[1]),
    position: undefined as FolderPosition | undefined,
    /** Whether the position is still this process's. */
    isOwned: true,
    /** What follows its folder of sent mails; undefined: nothing does. */
    sent: undefined as SentParts | undefined,
    /** Called before a mail counts as stored; may throw. */
    beforeTake: undefined as ((uid: number) => void | Promise<void>) | undefined,
    warnings: [] as unknown[],
    /** How often it has waited for its turn. */
    turns: 0,
    start() {
      session = startImapSession({
        account: {
          ...{ teamId: "team", accountId: "account", host: "127.0.0.1", security: "none", username: "support" },
          ...{ password: "correct-horse", folder: "INBOX", afterImport: "leave", sentFolder: true },
          ...account,
        },
        connect(one, signal, refused) {
          attempts += 1;
          return loopbackConnector(one, signal, refused);
        },
        async take(mails) {
          for (const { raw, ...from } of mails) {
            await mailbox.beforeTake?.(from.uid);
            taken.push({ ...from, raw: Buffer.from(raw).toString("latin1") });
          }
        },
        positions: {
          load: () => Promise.resolve(mailbox.position),
          save(position) {
            if (mailbox.isOwned) mailbox.position = position;
            return Promise.resolve(mailbox.isOwned);
          },
        },
        sent: mailbox.sent,
        note(state) {
          states.push(state);
          return Promise.resolve();
        },
        turn() {
          mailbox.turns += 1;
          return Promise.resolve(() => {});
        },
        runtime: { now: Date.now, steadyNow: () => steady, random: randomBytes },
        timeouts,
        logger: { warn: (...args: unknown[]) => void mailbox.warnings.push(args) },
      });
    },
    async stop() {
      await session?.stop();
      session = undefined;
    },
    /** Ends its wait between two connections, when it is in one. For use in polls: a connection under way is left its time. */
    retry() {
      if (attempts === mailbox.warnings.length) mailbox.advance(600_000);
    },
    /** Lets time pass for the waits of the session. */
    advance(ms: number) {
      steady += ms;
      timeouts.advance(ms);
    },
  };
  return mailbox;
}

export const mailOf = (subject: string, text = "Hello", more = ""): string =>
  `From: Vera <vera@customer.example>\r\nTo: support@shop.example\r\nSubject: ${subject}\r\n` +
  `Message-ID: <${encodeURIComponent(subject)}@customer.example>\r\n${more}\r\n${text}\r\n`;
