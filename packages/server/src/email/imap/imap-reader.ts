import { channelAccountById } from "../../channels/channel-account-store.ts";
import type { Runtime } from "../../context.ts";
import type { Logger } from "../../logger.ts";
import type { Storage } from "../../storage/database.ts";
import { listParam } from "../../storage/dialect.ts";
import type { Timeouts } from "../../timeouts.ts";
import { untriedMailImport } from "../in/mail-import-store.ts";
import type { SentIntake } from "../sent/sent-intake.ts";
import type { ImapConnector } from "./connect-imap.ts";
import type { SentParts } from "./follow-sent.ts";
import { type ImapAccount, imapAccountOf } from "./imap-account.ts";
import { type ImapSession, type NotedState, startImapSession } from "./imap-session.ts";
import {
  type DueMailbox,
  deadReaders,
  deleteReader,
  deleteReaders,
  insertReader,
  livingReaders,
  mailboxesDue,
  mailboxesOfDead,
  mailboxesOfReader,
  mailboxOwner,
  mailFolder,
  positionOf,
  releaseMailbox,
  renewReader,
  savePosition,
  saveSentPosition,
  sentPositionOf,
  setMailboxOwner,
  storedPosition,
  storedSentPosition,
} from "./mail-folder-store.ts";
import type { FetchedMail } from "./read-folder.ts";
import { createTurns } from "./turns.ts";

/** How often to look for accounts that were created or have changed. */
export const LOOK_MS = 1_000;
/** A process that is killed loses its mailboxes after so long, and others look for them with every renewal of their own. */
export const READER_LEASE_MS = 15_000;
const RENEW_MS = 5_000;
/** So many mailboxes are read at once: each holds a mail in memory. The others wait in their order. */
const AT_ONCE = 4;

/** Stores mails, in their order; resolves when all are stored or known. */
export type TakeMails = (mailbox: MailboxName, raws: readonly Uint8Array[]) => Promise<void>;

export interface MailboxName {
  teamId: string;
  accountId: string;
}

export interface ImapReader {
  start(): void;
  /** Ends all connections; other processes may read at once. */
  stop(): Promise<void>;
}

/**
 * Reads the mailboxes of all teams, each in one process.
 *
 * ```
 *  created, changed, resumed --> due --(claim: one transaction)--> read by this process --(changed)--> due, with an owner
 *                                 ^   '--(not by IMAP, paused, deleted)--> at rest <---.                    |
 *                                 |                                                    '--(its owner looks)-+
 *                                 '--(the process stops, or its lease runs out) ----- read again <----------'
 * ```
 * The lease is a row a process (`mail_readers`), so that an idle mailbox costs nothing. A process that could not renew it
 * ends its connections; the position is written by the owner alone. What two processes take nevertheless has one key.
 */
export function createImapReader({
  storage,
  runtime,
  connect,
  take,
  sent,
  note,
  timeouts,
  logger,
}: {
  storage: Storage;
  runtime: Runtime;
  connect: ImapConnector;
  take: TakeMails;
  sent: SentIntake;
  note: (mailbox: MailboxName, state: NotedState) => Promise<void>;
  timeouts: Timeouts;
  logger: Logger;
}): ImapReader {
  const sessions = new Map<string, ImapSession>();
  const turn = createTurns(AT_ONCE);
  let readerId = "";
  let leaseUntil = 0;
  let renewAt = 0;
  let stopped = false;
  let cancelLook = () => {};
  let looking: Promise<void> | undefined;

  return {
    start: () => void begin(),
    async stop() {
      stopped = true;
      cancelLook();
      await looking;
      await endSessions({ release: true });
      if (readerId) await storage.write(null, (db) => db.run(deleteReader, { id: readerId })).catch(() => {});
    },
  };

  async function begin(): Promise<void> {
    try {
      await storage.joinServers(() => storage.write(null, (db) => db.run(deleteReaders, {})));
    } catch (error) {
      logger.warn(
        { err: error },
        "Mailboxes that were being read when the server stopped are read again in 20 seconds.",
      );
    }
    lookLater(0);
  }

  function lookLater(ms: number): void {
    if (stopped) return;
    cancelLook = timeouts.after(ms, () => {
      looking = look().finally(() => {
        looking = undefined;
        lookLater(LOOK_MS);
      });
    });
  }

  async function look(): Promise<void> {
    try {
      const now = runtime.steadyNow();
      if (now >= renewAt) await renew(now);
      const due = await storage.read((db) => db.all(mailboxesDue, {}));
      await attendAll(due.filter(({ owner_id }) => owner_id === null || owner_id === readerId));
    } catch (error) {
      if (!stopped) logger.warn({ err: error }, "Cannot look for mailboxes. Retrying shortly.");
      if (runtime.steadyNow() >= leaseUntil) await endSessions({ release: false });
    }
  }

  /** Keeps the lease of this process, and claims the mailboxes of those that have lost theirs. */
  async function renew(now: number): Promise<void> {
    const next = now + READER_LEASE_MS;
    const kept = readerId
      ? await storage.write(null, (db) => db.run(renewReader, { id: readerId, lease_until: next, now }))
      : 0;
    if (kept === 0) {
      await endSessions({ release: false });
      const id = runtime.newId();
      await storage.write(null, (db) => db.run(insertReader, { id, lease_until: next }));
      readerId = id;
    }
    leaseUntil = next;
    renewAt = now + RENEW_MS;
    // A lease is never longer, but when the clock was set back.
    const times = { now, far: now + 2 * READER_LEASE_MS };
    const { living, dead } = await storage.read(async (db) => ({
      living: await db.all(livingReaders, times),
      dead: await db.all(deadReaders, times),
    }));
    const left = await storage.read((db) => db.all(mailboxesOfDead, { living: listParam(living.map(({ id }) => id)) }));
    await attendAll(left);
    for (const { id } of dead) await storage.write(null, (db) => db.run(deleteReader, { id }));
  }

  async function attendAll(mailboxes: readonly DueMailbox[]): Promise<void> {
    for (const mailbox of mailboxes) {
      if (stopped) return;
      await attend(mailbox);
    }
  }

  /** Claims a mailbox, or looks again at one of this process, in one transaction; then reads it, or no longer does. */
  async function attend({ team_id, account_id, owner_id }: DueMailbox): Promise<void> {
    const name = { team_id, account_id };
    const account = await storage.write(team_id, async (db) => {
      const [seen, row] = await Promise.all([
        db.first(mailboxOwner, name),
        db.first(channelAccountById, { team_id, id: account_id }),
      ]);
      if (!seen || seen.owner_id !== owner_id) return "elsewhere";
      const toRead = row && readable(row);
      await db.run(setMailboxOwner, { ...name, owner_id: toRead ? readerId : null, is_due: 0 });
      // Switched on again, it is followed from then on.
      if (toRead?.sentFolder === false)
        await db.run(saveSentPosition, { ...name, sent_position: null, owner_id: readerId });
      return toRead;
    });
    if (account === "elsewhere") return;
    await sessions.get(account_id)?.stop();
    sessions.delete(account_id);
    if (account && !stopped) sessions.set(account_id, startSession(account));
  }

  function readable(row: Parameters<typeof imapAccountOf>[0]): ImapAccount | undefined {
    try {
      return imapAccountOf(row, runtime.vault);
    } catch (error) {
      logger.warn({ err: error, account: row.id }, "The settings of a mailbox cannot be read.");
      return undefined;
    }
  }

  function startSession(account: ImapAccount): ImapSession {
    const { teamId, accountId, folder } = account;
    const name = { team_id: teamId, account_id: accountId };
    const owner_id = readerId;
    return startImapSession({
      ...{ account, connect, turn, runtime, timeouts, logger },
      take: (mails) => take({ teamId, accountId }, rawsOf(mails)),
      sent: account.sentFolder ? sentPartsOf(account, owner_id) : undefined,
      positions: {
        async load() {
          const row = await storage.first(mailFolder, name);
          return positionOf(row, folder);
        },
        async save(position) {
          const stored = storedPosition(folder, position);
          return (await storage.write(teamId, (db) => db.run(savePosition, { ...name, ...stored, owner_id }))) > 0;
        },
      },
      note: (state) => note({ teamId, accountId }, state),
    });
  }

  function sentPartsOf({ teamId, accountId }: MailboxName, owner_id: string): SentParts {
    const name = { team_id: teamId, account_id: accountId };
    const mailbox = { teamId, accountId };
    return {
      positions: {
        async load(folder) {
          return sentPositionOf(await storage.first(mailFolder, name), folder);
        },
        async save(folder, position) {
          const sent_position = storedSentPosition(folder, position);
          return (
            (await storage.write(teamId, (db) => db.run(saveSentPosition, { ...name, sent_position, owner_id }))) > 0
          );
        },
      },
      isReady: async () => (await storage.first(untriedMailImport, name)) === undefined,
      wants: { headers: sent.headers, decide: (head) => sent.wants(mailbox, head) },
      take: (mails) => sent.take(mailbox, rawsOf(mails)),
    };
  }

  /** @param release when this process still has its lease */
  async function endSessions({ release }: { release: boolean }): Promise<void> {
    const ending = [...sessions.values()];
    sessions.clear();
    await Promise.all(ending.map((session) => session.stop()));
    if (!release || !readerId) return;
    const owned = await storage.read((db) => db.all(mailboxesOfReader, { owner_id: readerId })).catch(() => []);
    for (const { team_id, account_id } of owned) {
      await storage
        .write(team_id, (db) => db.run(releaseMailbox, { team_id, account_id, owner_id: readerId }))
        .catch(() => {});
    }
  }
}

const rawsOf = (mails: readonly FetchedMail[]): Uint8Array[] => mails.map(({ raw }) => raw);
