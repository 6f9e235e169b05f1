import { COMMAND_MS, type FetchDepth, fetchMail, fetchMails, type ImapCommands, type Within } from "./fetch-mail.ts";
import { type FolderPosition, filled, freshGaps, passed } from "./folder-position.ts";
import { type MailFacts, mayFetchAhead, type Piece, piecesOf } from "./pieces-of.ts";

/** Sizes and dates of so many mails are read at once; then other mailboxes have their turn. */
const BATCH = 50;
const SECOND_MS = 1_000;
const DAY_MS = 24 * 3_600_000;
/** A mail that was being fetched when the connection broke is asked for less: after so many times, and then not at all. */
const LITTLE_AFTER = 3;
const NOTHING_AFTER = 6;

export interface FetchedMail {
  raw: Uint8Array;
  uid: number;
  /** When the server received it, ms since the epoch. */
  internalDate: number;
}

/** What was being fetched when the connection broke; outlives the connection. */
export interface Breakages {
  uid: number;
  times: number;
}

export interface FolderReading {
  client: ImapCommands;
  position: FolderPosition;
  breakages: Breakages;
  now(): number;
  within: Within;
  /** Of which mails more than their headers is fetched, one by one; left out: of all. */
  wants?: { headers: readonly string[]; decide(headers: Uint8Array): Promise<boolean> } | undefined;
  /** Resolves when the mails are stored, in their order; one that is known already is not stored again. */
  take(mails: readonly FetchedMail[]): Promise<void>;
  /** Stores the position. Resolves to whether it is still ours to store. */
  save(position: FolderPosition): Promise<boolean>;
  /** At most so many mails, so that another folder does not wait; left out: all. */
  most?: number | undefined;
  /** Lets other mailboxes have their turn, after a batch; left out: there is no more than one. */
  rest?(): Promise<void>;
  signal: AbortSignal;
}

/**
 * Takes what is new in the open folder, in the order of UIDs, by UID commands alone: sequence numbers move when another client
 * expunges. Flags are never state. Small mails are fetched by one command and stored together, and the next ones are fetched
 * meanwhile (`pieces-of.ts`). The position follows each piece after it is stored, so that a crash repeats one piece at most.
 *
 * @returns the position after it, and whether nothing is left; `lost` when another process reads the folder
 */
export async function readFolder(
  reading: FolderReading,
): Promise<{ position: FolderPosition; isWhole: boolean } | "lost"> {
  const { most = Number.POSITIVE_INFINITY } = reading;
  let { position } = reading;
  const all = await newUids(reading, position);
  const found = all.slice(0, most);
  for (let from = 0; from < found.length; from += BATCH) {
    if (from > 0) await reading.rest?.();
    const batch = found.slice(from, from + BATCH);
    const facts = await factsOf(reading, batch);
    const isWanted = (mail: MailFacts) =>
      mail.uid > reading.position.renumberedTo || isAfter(mail, reading.position.connectedAt);
    const read = await readPieces(reading, position, piecesOf(batch, facts, isWanted, isAloneIn(reading)));
    if (read === "lost") return "lost";
    position = read;
  }
  return { position, isWhole: found.length === all.length };
}

async function readPieces(
  reading: FolderReading,
  from: FolderPosition,
  pieces: readonly Piece[],
): Promise<FolderPosition | "lost"> {
  const { signal, now } = reading;
  let position = from;
  let ahead: Fetching | undefined;
  for (const [index, piece] of pieces.entries()) {
    if (signal.aborted) return "lost";
    const { mails, left } = await noteBreak(reading, piece, ahead ?? fetchPiece(reading, piece));
    const next = pieces[index + 1];
    ahead = next && !reading.wants && mayFetchAhead(piece, next) ? fetchPiece(reading, next) : undefined;
    if (mails.length > 0) await reading.take(mails);
    for (const mail of left) await takeOne(reading, mail);
    for (const uid of piece.uids) position = passed(position, uid, now());
    if (!(await reading.save(position))) return "lost";
  }
  return position;
}

/**
 * Takes mails whose UIDs were not there when the position passed them: some servers number a mail before they show it.
 *
 * @returns the position after it, and the UIDs that were taken
 */
export async function sweepGaps(
  reading: FolderReading,
): Promise<{ position: FolderPosition; late: number[] } | "lost"> {
  let { position } = reading;
  const gaps = freshGaps(position, reading.now());
  if (gaps.length === 0) return { position, late: [] };
  const range = gaps.map(({ from, to }) => (from === to ? `${from}` : `${from}:${to}`)).join(",");
  const inGap = (uid: number) => gaps.some(({ from, to }) => uid >= from && uid <= to);
  const late = (await searchUids(reading, { uid: range })).filter(inGap);
  const facts = await factsOf(reading, late);
  for (const uid of late) {
    if (reading.signal.aborted) return "lost";
    const mail = facts.get(uid);
    if (mail) await takeOne(reading, mail);
    position = filled(position, uid);
    if (!(await reading.save(position))) return "lost";
  }
  return { position, late };
}

/** Which mails are fetched alone: the one at which the connection broke, and all that are asked about one by one. */
const isAloneIn = ({ breakages, wants }: FolderReading): ((mail: MailFacts) => boolean) => {
  const brokenAt = breakages.times > 0 ? breakages.uid : undefined;
  return ({ uid }) => wants !== undefined || uid === brokenAt;
};

/** A piece on its way. */
interface Fetching {
  /** The UID that is awaited. */
  next: number;
  came: Promise<{ mails: FetchedMail[]; left: MailFacts[] }>;
}

function fetchPiece(reading: FolderReading, { mails }: Piece): Fetching {
  const { client, within } = reading;
  const [first, ...more] = mails;
  const fetching: Fetching = { next: first?.uid ?? 0, came: Promise.resolve({ mails: [], left: [] }) };
  if (!first) return fetching;
  if (more.length === 0) {
    fetching.came = fetchOne(reading, first).then((raw) => ({ mails: raw ? [fetched(first, raw)] : [], left: [] }));
  } else {
    const onNext = (uid: number) => {
      fetching.next = uid;
    };
    fetching.came = fetchMails(client, mails, onNext, within).then(({ raws, left }) => ({
      mails: mails.flatMap((mail) => {
        const raw = raws.get(mail.uid);
        return raw ? [fetched(mail, raw)] : [];
      }),
      left,
    }));
  }
  // It may be awaited after the piece before it is stored; until then its failure must not count as unhandled.
  fetching.came.catch(() => {});
  return fetching;
}

/** Undefined for one that is not there any more, or not wanted. */
async function fetchOne(reading: FolderReading, { uid, size }: MailFacts): Promise<Uint8Array | undefined> {
  const { breakages, client, within, wants } = reading;
  const depth = depthAfter(breakages.uid === uid ? breakages.times : 0);
  const isWanted = !wants || (depth !== "nothing" && (await isWantedBy(reading, wants, uid)));
  return isWanted ? fetchMail(client, { uid, size, depth }, within) : undefined;
}

const fetched = ({ uid, internalDate }: MailFacts, raw: Uint8Array): FetchedMail => ({ uid, internalDate, raw });

/** Awaits a piece. When it does not come, the mail that was awaited may be what breaks the connection. */
async function noteBreak(
  { breakages }: FolderReading,
  piece: Piece,
  fetching: Fetching,
): Promise<Awaited<Fetching["came"]>> {
  try {
    const came = await fetching.came;
    if (piece.mails.some(({ uid }) => uid === breakages.uid)) breakages.times = 0;
    return came;
  } catch (error) {
    const times = breakages.uid === fetching.next ? breakages.times + 1 : 1;
    Object.assign(breakages, { uid: fetching.next, times });
    throw error;
  }
}

async function takeOne(reading: FolderReading, mail: MailFacts): Promise<void> {
  const piece = { uids: [mail.uid], mails: [mail] };
  const { mails } = await noteBreak(reading, piece, fetchPiece(reading, piece));
  if (mails.length > 0) await reading.take(mails);
}

async function isWantedBy(
  { client, within }: FolderReading,
  { headers, decide }: NonNullable<FolderReading["wants"]>,
  uid: number,
): Promise<boolean> {
  const query = { headers: [...headers] };
  const mail = await within(COMMAND_MS, () => client.fetchOne(`${uid}`, query, { uid: true }));
  return Boolean(mail && mail.uid === uid && mail.headers && (await decide(mail.headers)));
}

/** Servers give the second, without its fraction. */
const isAfter = ({ internalDate }: MailFacts, time: number): boolean =>
  Math.floor(internalDate / SECOND_MS) >= Math.floor(time / SECOND_MS);

function depthAfter(times: number): FetchDepth {
  if (times >= NOTHING_AFTER) return "nothing";
  return times >= LITTLE_AFTER ? "little" : "whole";
}

/** The UIDs after the position, ascending. Of mails that were numbered anew only those that may be newer than the connection. */
async function newUids(reading: FolderReading, position: FolderPosition): Promise<number[]> {
  const { lastUid, renumberedTo, connectedAt } = position;
  const again = lastUid < renumberedTo;
  // By the server's days, wherever it is.
  const since = new Date(connectedAt - DAY_MS);
  const renumbered = again ? await searchUids(reading, { uid: `${lastUid + 1}:${renumberedTo}`, since }) : [];
  const after = Math.max(lastUid, renumberedTo);
  const fresh = await searchUids(reading, { uid: `${after + 1}:*` });
  return [
    ...renumbered.filter((uid) => uid > lastUid && uid <= renumberedTo),
    // `n:*` always has the last mail, also when it is below n (RFC 9051, section 9, seq-range).
    ...fresh.filter((uid) => uid > after),
  ];
}

async function searchUids({ client, within }: FolderReading, query: { uid: string; since?: Date }): Promise<number[]> {
  const found = await within(COMMAND_MS, () => client.search(query, { uid: true }));
  if (!Array.isArray(found)) throw new Error("The mail server did not answer a search.");
  return [...new Set(found)].sort((a, b) => a - b);
}

async function factsOf(
  { client, within, now }: FolderReading,
  uids: readonly number[],
): Promise<Map<number, MailFacts>> {
  if (uids.length === 0) return new Map();
  const query = { uid: true, size: true, internalDate: true };
  const mails = await within(COMMAND_MS, () => client.fetchAll(uids.join(","), query, { uid: true }));
  return new Map(
    mails.map(({ uid, size = 0, internalDate }) => {
      const time = internalDate === undefined ? Number.NaN : new Date(internalDate).getTime();
      return [uid, { uid, size, internalDate: Number.isNaN(time) ? now() : time }];
    }),
  );
}
