/** Mailboxes on a real Dovecot whose folders of sent mails are followed: docs/decisions/0067-replies-from-mail-programs.md */
import { type Dovecot, startDovecot } from "@frontdesk/testing/dovecot";
import { heldTimeouts } from "@frontdesk/testing/held-timeouts";
import { loopbackConnector } from "@frontdesk/testing/read-mailbox";
import { query } from "@frontdesk/testing/second-app";
import type { TestApp, TestTeam } from "@frontdesk/testing/test-kit";
import type { ImapFlow } from "imapflow";
import { pino } from "pino";
import { afterAll, beforeEach, expect, onTestFinished } from "vitest";
import { createAgent } from "../../agents/create-agent.ts";
import type { Storage } from "../../storage/database.ts";
import type { ImapConnector } from "../imap/connect-imap.ts";
import { SENT_MS } from "../imap/follow-sent.ts";
import { createImapReader } from "../imap/imap-reader.ts";
import { noteMailboxState } from "../imap/note-mailbox-state.ts";
import { takeFetchedMails } from "../in/take-mail.ts";
import { createSentIntake } from "./sent-intake.ts";

const logger = pino({ level: "silent" });
/** Whose verdicts about senders count. */
export const SERVER = "mx.acme.example";
export const NOT_FOLLOWED = { sent_folder: false };
export const answers = (id: string) => [`In-Reply-To: ${id}`, `References: ${id}`];
let written = 0;
export const nextNumber = () => ++written;

export interface Mail {
  from?: string;
  to?: string;
  id?: string;
  date?: string;
  more?: string[];
  text?: string;
}

export async function sentRoom(kit: TestApp) {
  const { app, storage, runtime, clock, team } = kit;
  const dovecot = await startDovecot();
  afterAll(() => dovecot.stop());
  // The reader of a test reads its mailbox alone.
  beforeEach(async () => {
    await query(storage, "DELETE FROM mail_folders");
    await query(storage, "DELETE FROM mail_readers");
  });
  const date = (offset = 0) => new Date(clock.now() + offset).toUTCString();

  function mailOf({
    from = "Vera <vera@vera.example>",
    to = "",
    id,
    text = "Hello",
    more = [],
    ...mail
  }: Mail): string {
    const head = [`From: ${from}`, `To: ${to}`, `Message-ID: ${id ?? `<${nextNumber()}@mail.example>`}`, ...more];
    return [...head, `Date: ${mail.date ?? date()}`, "Subject: Re: Size 40?", "", text, ""].join("\r\n");
  }

  /** A team with a mailbox that is read, its sent mails too, and a mail program of Ada's that is signed in to it. */
  async function scene(inboundSettings: object = {}) {
    const acme = await team();
    const user = `support${nextNumber()}`;
    const address = `${user}@acme.example`;
    const inbound = { kind: "imap", host: "127.0.0.1", port: dovecot.port, security: "none", username: user };
    const { status, body } = await acme.post("/channels", {
      ...{ channel: "email", widget_id: acme.widgetId },
      settings: {
        ...{ address, authserv_id: SERVER },
        inbound: { ...inbound, password: dovecot.password, ...inboundSettings },
        // Nothing answers there: replies wait.
        outbound: { host: "127.0.0.1", port: 9, security: "none", username: null },
      },
    });
    expect(status).toBe(201);
    const accountId: string = body.data.id;
    const timeouts = heldTimeouts();
    const fetched: Fetched[] = [];
    const looks: string[] = [];
    let reader: ReturnType<typeof createImapReader>;

    function start() {
      const parts = { perform: app.perform, takeRawMails: app.takeRawMails, logger };
      reader = createImapReader({
        ...{ storage, runtime, timeouts, connect: watched(fetched, looks), logger },
        ...{ take: takeFetchedMails(app, logger), sent: createSentIntake(parts) },
        note: noteMailboxState(app.perform),
      });
      reader.start();
    }
    const stop = () => reader.stop();
    onTestFinished(() => reader.stop());
    start();

    /** Lets time pass for the reader while waiting. */
    const until = (condition: () => Promise<boolean>) =>
      expect
        .poll(
          () => {
            // Less than a command may take.
            timeouts.advance(SENT_MS / 6);
            return condition();
          },
          { interval: 50 },
        )
        .toBe(true);
    const stored = storedOf(storage, accountId);
    const { position, texts } = stored;
    if (inboundSettings === NOT_FOLLOWED) await until(async () => (await stored.connectedAt()) !== undefined);
    else await until(async () => (await position()) !== undefined);
    const program = await programOf(dovecot, user);

    return {
      ...{ acme, user, address, accountId, start, stop, until, program, fetched, looks },
      ...stored,
      /** Vera writes; resolves to the id of her mail and her conversation. */
      async veraWrites(mail: Mail = {}) {
        const id = `<${nextNumber()}@vera.example>`;
        dovecot.deliver(user, mailOf({ to: address, id, ...mail }));
        const found = () =>
          query(
            storage,
            `SELECT mails.conversation_id, conversations.contact_id FROM mails
             JOIN conversations ON conversations.id = mails.conversation_id WHERE header_id = '${id}'`,
          );
        await until(async () => (await found()).length === 1);
        const [row] = await found();
        return { id, conversationId: String(row?.conversation_id), contactId: String(row?.contact_id) };
      },
      /** Ada's mail program files what it has sent. */
      async files(mail: Mail, folder = "Sent") {
        const raw = mailOf({ to: "vera@vera.example", from: acme.ada.email, ...mail });
        await program.append(folder, raw, ["\\Seen"]);
        return raw;
      },
      /** Every mail of the folder has been passed. */
      async hasPassed() {
        const { uidNext = 1 } = (await program.status("Sent", { uidNext: true })) || {};
        const last = uidNext - 1;
        await until(async () => (await position())?.lastUid >= last);
        const waits = `SELECT key FROM mail_imports WHERE account_id = '${accountId}' AND state IN ('stored', 'sent')`;
        await until(async () => (await query(storage, waits)).length === 0);
      },
      says: (text: string) => until(async () => (await texts()).includes(text)),
    };
  }

  const colleagueOf = ({ actor }: TestTeam) => {
    const person = { name: "Carl", email: `carl${nextNumber()}@acme.example`, role: "CHAT_AGENT_MEMBER" } as const;
    return app.perform(actor, createAgent, { ...person, passwordHash: null });
  };

  return { dovecot, date, mailOf, scene, colleagueOf };
}

/** What is stored of the mails of an account. */
function storedOf(storage: Storage, accountId: string) {
  const folder = async () => (await query(storage, `SELECT * FROM mail_folders WHERE account_id = '${accountId}'`))[0];
  const connectedAt = async () => (await folder())?.connected_at ?? undefined;
  const position = async () => {
    const row = await folder();
    return row?.sent_position == null ? undefined : JSON.parse(String(row.sent_position));
  };
  const messages = async () => {
    const rows = await query(
      storage,
      `SELECT messages.*, mails.direction, mails.sender, mails.raw_file FROM messages
       JOIN mails ON mails.message_id = messages.id WHERE mails.account_id = '${accountId}' ORDER BY messages.sort_number, messages.id`,
    );
    return rows as Record<string, string | number | null>[];
  };
  const texts = async () => (await messages()).map(({ content }) => content);
  return { connectedAt, position, messages, texts };
}

/** How many rows and files the team has of mails. */
export async function rowsOf(storage: Storage, { acme, accountId }: { acme: TestTeam; accountId: string }) {
  const count = async (text: string) => Number((await query(storage, `SELECT count(*) AS n FROM ${text}`))[0]?.n);
  return {
    imports: await count(`mail_imports WHERE account_id = '${accountId}'`),
    mails: await count(`mails WHERE account_id = '${accountId}'`),
    files: await count(`files WHERE team_id = '${acme.teamId}'`),
    messages: await count(`messages WHERE team_id = '${acme.teamId}'`),
    contacts: await count(`contacts WHERE team_id = '${acme.teamId}'`),
  };
}

interface Fetched {
  uid: string;
  asks: object;
}

/** Notes what is fetched of single mails, and each look at a folder. */
function watched(fetched: Fetched[], looks: string[]): ImapConnector {
  return async (...asked) => {
    const opened = await loopbackConnector(...asked);
    const { client } = opened;
    const fetchOne = client.fetchOne.bind(client);
    client.fetchOne = (range, asks, options) => {
      fetched.push({ uid: String(range), asks });
      return fetchOne(range, asks, options);
    };
    const status = client.status.bind(client);
    client.status = (path, asks) => {
      looks.push(String(path));
      return status(path, asks);
    };
    return opened;
  };
}

/** Another program that is signed in to the mailbox. */
async function programOf(dovecot: Dovecot, username: string): Promise<ImapFlow> {
  const server = { host: "127.0.0.1", port: dovecot.port, security: "none", username } as const;
  const account = { ...server, teamId: "", accountId: "", password: dovecot.password } as const;
  const reading = { folder: "INBOX", afterImport: "leave", sentFolder: false } as const;
  const { client } = await loopbackConnector({ ...account, ...reading }, new AbortController().signal);
  await client.connect();
  onTestFinished(() => client.close());
  return client;
}
