import type { ImapFlow } from "imapflow";
import { COMMAND_MS, type Within } from "./fetch-mail.ts";
import { type FolderPosition, freshGaps, type OpenedFolder, passedAll, positionIn } from "./folder-position.ts";
import { type FolderReading, readFolder, sweepGaps } from "./read-folder.ts";

/** So often the folder is looked at when nothing comes in: a reply is in its conversation within a minute. */
export const SENT_MS = 60_000;
/** When mails of the inbox wait for their import, since a reply may answer one of them; each time twice as long, as in a paused account. */
const SENT_SOON_MS = 2_000;
/** A mailbox without the folder is searched for it so often, and the gaps of its UIDs are swept. */
const SEEK_MS = 3_600_000;
/** Then the inbox has its turn. */
const MOST_AT_ONCE = 50;

/** What following the folder of sent mails needs of the service. */
export interface SentParts {
  positions: {
    /** The stored position in this folder. */
    load(folder: string): Promise<FolderPosition | undefined>;
    /** Resolves to false when another process reads the mailbox. */
    save(folder: string, position: FolderPosition): Promise<boolean>;
  };
  /** Whether the import of every mail that was taken has been tried. */
  isReady(): Promise<boolean>;
  wants: NonNullable<FolderReading["wants"]>;
  take: FolderReading["take"];
}

/** What a visit has left: whether another folder is open now, and when to look again, ms; undefined: there is nothing to follow. */
export interface SentVisit {
  hasOpened: boolean;
  again: number | undefined;
}

interface Followed {
  sent: SentParts;
  /** The folder that mails come in to. */
  inbox: string;
  runtime: { now(): number; steadyNow(): number };
  signal: AbortSignal;
  /** As `ImapSessionParts.turn`. */
  turn(): Promise<() => void>;
}

/**
 * Looks at the folder of special use `\Sent` on the connection that reads the inbox, between two waits for news. It is opened only
 * when it has something new, and never marked or changed.
 *
 * ```
 * which folder? --(none)--> again in an hour
 *      '--> STATUS --(nothing new)--> again in a minute
 *              '--(mails wait for their import)--> again soon, then ever later
 *              '--> opened --> headers of each mail --(no reply of a conversation)--> passed
 *                                                  '--> fetched and taken
 * ```
 * A folder that the server refuses to open, or does not number, is none: the inbox is read all the same.
 */
export function followSent({ sent, inbox, runtime, signal, turn }: Followed) {
  const breakages: FolderReading["breakages"] = { uid: 0, times: 0 };
  let sought: { connection: ImapFlow; at: number; path: string | undefined } | undefined;
  let sweptAt = Number.NEGATIVE_INFINITY;
  let soon = SENT_SOON_MS;

  return async function visit(connection: ImapFlow, within: Within): Promise<SentVisit | "lost"> {
    const path = await pathIn(connection, within);
    if (path === undefined) return { hasOpened: false, again: undefined };
    const asked = { uidNext: true, uidValidity: true };
    const status = await orRefused(connection, () => within(COMMAND_MS, () => connection.status(path, asked)));
    const folder = status && opened(status);
    // Without its next UID, "from now on" would begin with the mails of years.
    if (!folder || folder.uidNext === 0) return notThere();
    const known = await sent.positions.load(path);
    const position = positionIn(folder, known, runtime.now());
    if (position !== known && !(await sent.positions.save(path, position))) return "lost";
    const isSwept = runtime.steadyNow() - sweptAt < SEEK_MS || freshGaps(position, runtime.now()).length === 0;
    const isRead = folder.uidNext - 1 <= position.lastUid;
    if (isRead && isSwept) return { hasOpened: false, again: SENT_MS };
    if (!(await sent.isReady())) return { hasOpened: false, again: later() };
    soon = SENT_SOON_MS;
    const endTurn = await turn();
    try {
      return await read(connection, within, path);
    } finally {
      endTurn();
    }
  };

  function later(): number {
    const again = soon;
    soon = Math.min(2 * soon, SENT_MS);
    return again;
  }

  async function read(connection: ImapFlow, within: Within, path: string): Promise<SentVisit | "lost"> {
    const open = () => within(COMMAND_MS, () => connection.mailboxOpen(path, { readOnly: true }));
    const mailbox = await orRefused(connection, open);
    if (!mailbox) return { ...notThere(), hasOpened: true };
    const folder = opened(mailbox);
    const save = (next: FolderPosition) => sent.positions.save(path, next);
    const position = positionIn(folder, await sent.positions.load(path), runtime.now());
    const reading: FolderReading = {
      ...{ client: connection, breakages, within, signal, position, save, now: runtime.now },
      ...{ wants: sent.wants, take: sent.take, most: MOST_AT_ONCE },
    };
    const done = await readFolder(reading);
    if (done === "lost") return "lost";
    if (!done.isWhole) return { hasOpened: true, again: 0 };
    const all = passedAll(done.position, folder, runtime.now());
    if (!(await save(all))) return "lost";
    if ((await sweepGaps({ ...reading, position: all })) === "lost") return "lost";
    sweptAt = runtime.steadyNow();
    return { hasOpened: true, again: SENT_MS };
  }

  async function pathIn(connection: ImapFlow, within: Within): Promise<string | undefined> {
    const now = runtime.steadyNow();
    const isKnown = sought?.connection === connection && (sought.path !== undefined || now - sought.at < SEEK_MS);
    if (sought && isKnown) return sought.path;
    const folders = (await orRefused(connection, () => within(COMMAND_MS, () => connection.list()))) ?? [];
    const path = folders.find(({ specialUse }) => specialUse === "\\Sent")?.path;
    sought = { connection, at: now, path: path === inbox ? undefined : path };
    return sought.path;
  }

  function notThere(): SentVisit {
    if (sought) sought = { ...sought, path: undefined };
    return { hasOpened: false, again: undefined };
  }
}

const opened = ({
  uidValidity,
  uidNext,
}: {
  uidValidity?: bigint | undefined;
  uidNext?: number | undefined;
}): OpenedFolder => ({
  uidValidity: Number(uidValidity ?? 0),
  uidNext: Number(uidNext ?? 0),
});

/** Undefined when the server refuses the command; an end of the connection is thrown. */
async function orRefused<T>(connection: ImapFlow, command: () => Promise<T | false>): Promise<T | undefined> {
  try {
    return (await command()) || undefined;
  } catch (error) {
    if (!connection.usable) throw error;
    return undefined;
  }
}
