import { COMMAND_MS, type FetchDepth, fetchMail, type ImapCommands, type Within } from "./fetch-mail.ts";
import { type FolderPosition, filled, freshGaps, passed } from "./folder-position.ts";

/** Sizes and dates of so many mails are read at once. */
const BATCH = 50;
const SECOND_MS = 1_000;
const DAY_MS = 24 * 3_600_000;
/** A mail that was being fetched when the connection broke is asked for less: after so many times, and then not at all. */
const LITTLE_AFTER = 3;
const NOTHING_AFTER = 6;

export interface TakenFrom {
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
  /** Of which mails more than their headers is fetched; left out: of all. */
  wants?: { headers: readonly string[]; decide(headers: Uint8Array): Promise<boolean> } | undefined;
  /** Resolves when the mail is stored; one that is known already is not stored again. */
  take(raw: Uint8Array, from: TakenFrom): Promise<void>;
  /** Stores the position. Resolves to whether it is still ours to store. */
  save(position: FolderPosition): Promise<boolean>;
  /** At most so many mails, so that another folder does not wait; left out: all. */
  most?: number | undefined;
  signal: AbortSignal;
}

/**
 * Takes what is new in the open folder, one by one in the order of UIDs, by UID commands alone: sequence numbers move when
 * another client expunges. Flags are never state. The position follows each mail after it is stored, so that a crash repeats
 * one mail at most.
 *
 * @returns the position after it, and whether nothing is left; `lost` when another process reads the folder
 */
export async function readFolder(
  reading: FolderReading,
): Promise<{ position: FolderPosition; isWhole: boolean } | "lost"> {
  const { signal, now, most = Number.POSITIVE_INFINITY } = reading;
  let { position } = reading;
  const all = await newUids(reading, position);
  const found = all.slice(0, most);
  for (let from = 0; from < found.length; from += BATCH) {
    const batch = found.slice(from, from + BATCH);
    const facts = await factsOf(reading, batch);
    for (const uid of batch) {
      if (signal.aborted) return "lost";
      const mail = facts.get(uid);
      const isWanted = mail && (uid > position.renumberedTo || isAfter(mail, position.connectedAt));
      if (isWanted) await takeOne(reading, mail);
      position = passed(position, uid, now());
      if ((isWanted || uid === batch.at(-1)) && !(await reading.save(position))) return "lost";
    }
  }
  return { position, isWhole: found.length === all.length };
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

interface MailFacts extends TakenFrom {
  size: number;
}

async function takeOne(reading: FolderReading, { uid, size, internalDate }: MailFacts): Promise<void> {
  const { breakages } = reading;
  if (breakages.uid !== uid) Object.assign(breakages, { uid, times: 0 });
  breakages.times += 1;
  const depth = depthAfter(breakages.times - 1);
  const isWanted = !reading.wants || (depth !== "nothing" && (await isWantedBy(reading, reading.wants, uid)));
  const raw = isWanted ? await fetchMail(reading.client, { uid, size, depth }, reading.within) : undefined;
  breakages.times = 0;
  if (raw) await reading.take(raw, { uid, internalDate });
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
