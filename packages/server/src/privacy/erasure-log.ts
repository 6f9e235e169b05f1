import { createHash, createHmac, randomBytes } from "node:crypto";
import { closeSync, fstatSync, fsyncSync, mkdirSync, openSync, readFileSync, readSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { openVault, type SealedPlace, type Vault } from "../access/vault.ts";
import { OperatorError } from "../operator-error.ts";
import { isoTime } from "../timestamp.ts";

export const erasedKinds = ["contact", "conversation", "message", "widget", "agent"] as const;
export type ErasedKind = (typeof erasedKinds)[number];

/** What was erased: of a message, its text and files; of a widget, its contacts and conversations too; of an agent, the person. */
export interface Erased {
  kind: ErasedKind;
  teamId: string;
  id: string;
}

/** A mail that came in and was erased. A restored mailbox may offer it again: a backup of before it does not know its key. */
export interface ErasedMail {
  kind: "mail";
  teamId: string;
  accountId: string;
  /** `email/in/mail-key.ts` */
  key: string;
}

/**
 * The record of erasures outside the database, `DATA_DIR/erasures.log`: a restore of an older backup erases them again. It is
 * only ever appended to, and names nobody: ids are hashed with a random key, which the vault has sealed. A restore needs the keys of
 * mails themselves, so they are sealed with that key. One line of JSON each:
 *
 * ```
 * {"key":"5f0c…","sealed":"v2.…"}                                        a key; once more when the vault's key has changed
 * {"at":"2026-11-23T18:00:00.000Z","key":"5f0c…","kind":"contact","hash":"…"}
 * {"at":"2026-11-23T18:00:00.000Z","key":"5f0c…","kind":"mail","mails":"v2.…"}      up to 500 mails of an account
 * ```
 */
export interface ErasureLog {
  /** Durable when it returns. */
  append(erased: readonly (Erased | ErasedMail)[], at: number): void;
  /** Seals the key again after a change of the vault's key, so that the record outlives the previous one. */
  keepReadable(): void;
}

export const erasureLogFile = (dataDir: string): string => join(dataDir, "erasures.log");

const KEY_BYTES = 32;
const PLACE: SealedPlace = { column: "erasures.log", teamId: "", id: "key" };
const PLACE_OF_MAILS: SealedPlace = { column: "erasures.log", teamId: "", id: "mails" };
/** Of one line, which has about 90 bytes a mail. */
const MAILS_AT_ONCE = 500;

interface KeyLine {
  key: string;
  sealed: string;
}
interface ErasedLine {
  at: string;
  key: string;
  kind: ErasedKind;
  hash: string;
}
interface MailsLine {
  at: string;
  key: string;
  kind: ErasedMail["kind"];
  mails: string;
}
/** What is sealed in a line of mails. */
interface MailsOfAccount {
  team: string;
  account: string;
  mails: string[];
}

export function erasureLog(dataDir: string, vault: Vault): ErasureLog {
  const file = erasureLogFile(dataDir);
  return {
    append(erased, at) {
      if (erased.length === 0) return;
      const { name, bytes, isNew } = ownKey();
      const [mails, others] = [erased.filter(isMail), erased.filter((one) => !isMail(one))];
      const line = { at: isoTime(at), key: name };
      appendLines(file, [
        ...(isNew ? [sealedLine(bytes)] : []),
        ...others.map((one): ErasedLine => ({ ...line, kind: one.kind, hash: hashOf(bytes, one) })),
        ...inParts(mails).map((part): MailsLine => ({ ...line, kind: "mail", mails: sealMails(bytes, part) })),
      ]);
    },
    keepReadable() {
      if (!readLines(file)) return;
      const { bytes, isNew } = ownKey();
      if (isNew) appendLines(file, [sealedLine(bytes)]);
    },
  };

  /** The last key that opens; a new one when none does. `isNew`: a line with it is missing, as it is sealed now. */
  function ownKey() {
    const keys = readLines(file)?.keys ?? [];
    const sealedNow = keys.findLast(({ sealed }) => sealed.startsWith(vault.sealedNow));
    const known = sealedNow ? opened(sealedNow, [vault]) : keys.map((line) => opened(line, [vault])).findLast(Boolean);
    const bytes = known ?? randomBytes(KEY_BYTES);
    return { name: nameOf(bytes), bytes, isNew: !sealedNow };
  }

  function sealedLine(bytes: Buffer): KeyLine {
    return { key: nameOf(bytes), sealed: vault.seal(bytes.toString("base64"), PLACE) };
  }
}

/** What a record says, for those who have its key. */
export interface ReadErasures {
  has(erased: Erased | ErasedMail): boolean;
  mails: readonly ErasedMail[];
  /** How many lines were made with a key that none of the vaults opens. */
  unreadable: number;
}

/** Reads a record; undefined when there is no such file. */
export function readErasureLog(file: string, vaults: readonly Vault[]): ReadErasures | undefined {
  const lines = readLines(file);
  if (!lines) return undefined;
  const keys = new Map(
    lines.keys.flatMap((line) => {
      const bytes = opened(line, vaults);
      return bytes ? [[line.key, bytes] as const] : [];
    }),
  );
  const kinds = new Set(lines.erased.map(({ kind }) => kind));
  const hashes = new Set(lines.erased.map(({ hash }) => hash));
  const mails = distinctMails(
    lines.mails.flatMap((line) => {
      const bytes = keys.get(line.key);
      return bytes ? openMails(bytes, line.mails) : [];
    }),
  );
  return {
    has(erased) {
      if (isMail(erased)) return mails.has(mailName(erased));
      // Hashing every id of a backup is not free.
      return kinds.has(erased.kind) && [...keys.values()].some((bytes) => hashes.has(hashOf(bytes, erased)));
    },
    mails: [...mails.values()],
    unreadable: [...lines.erased, ...lines.mails].filter(({ key }) => !keys.has(key)).length,
  };
}

const isMail = (one: Erased | ErasedMail): one is ErasedMail => one.kind === "mail";
const mailName = ({ teamId, accountId, key }: ErasedMail): string => JSON.stringify([teamId, accountId, key]);

/** An erasure that is repeated records its mails again. */
export const distinctMails = (mails: readonly ErasedMail[]): Map<string, ErasedMail> =>
  new Map(mails.map((mail) => [mailName(mail), mail]));

function inParts(mails: readonly ErasedMail[]): MailsOfAccount[] {
  const accounts = Map.groupBy(mails, ({ teamId, accountId }) => JSON.stringify([teamId, accountId]));
  return [...accounts.values()].flatMap((all) => {
    const parts: MailsOfAccount[] = [];
    for (let from = 0; from < all.length; from += MAILS_AT_ONCE) {
      const [some, first] = [all.slice(from, from + MAILS_AT_ONCE), all[from]];
      if (first) parts.push({ team: first.teamId, account: first.accountId, mails: some.map(({ key }) => key) });
    }
    return parts;
  });
}

/** Not the key that hashes: each is for one use. */
const vaultOfMails = (key: Buffer): Vault =>
  openVault(createHash("sha256").update("frontdesk erasures mails").update(key).digest());

const sealMails = (key: Buffer, part: MailsOfAccount): string =>
  vaultOfMails(key).seal(JSON.stringify(part), PLACE_OF_MAILS);

function openMails(key: Buffer, sealed: string): ErasedMail[] {
  const { team, account, mails }: MailsOfAccount = JSON.parse(vaultOfMails(key).open(sealed, PLACE_OF_MAILS));
  return mails.map((mail) => ({ kind: "mail", teamId: team, accountId: account, key: mail }));
}

const nameOf = (key: Buffer): string =>
  createHash("sha256").update("frontdesk erasures key").update(key).digest("hex").slice(0, 16);

const hashOf = (key: Buffer, { kind, teamId, id }: Erased): string =>
  createHmac("sha256", key)
    .update(JSON.stringify([kind, teamId, id]))
    .digest("base64url");

function opened({ sealed }: KeyLine, vaults: readonly Vault[]): Buffer | undefined {
  for (const vault of vaults) {
    try {
      return Buffer.from(vault.open(sealed, PLACE), "base64");
    } catch {
      // Sealed with another key.
    }
  }
  return undefined;
}

function readLines(file: string): { keys: KeyLine[]; erased: ErasedLine[]; mails: MailsLine[] } | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
  const lines = text.split("\n").flatMap(parsed);
  return {
    keys: lines.filter((line) => "sealed" in line),
    erased: lines.filter((line) => "hash" in line),
    mails: lines.filter((line) => "mails" in line),
  };
}

/** A line that a power cut has left incomplete says nothing. */
function parsed(text: string): (KeyLine | ErasedLine | MailsLine)[] {
  try {
    const line: unknown = text === "" ? null : JSON.parse(text);
    return typeof line === "object" && line !== null ? [line as KeyLine | ErasedLine | MailsLine] : [];
  } catch {
    return [];
  }
}

/** @throws OperatorError when it cannot be written */
function appendLines(file: string, lines: readonly object[]): void {
  try {
    appendAtOnce(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  } catch (error) {
    throw new OperatorError(`Cannot write the record of erasures to ${file}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** In one write, so that processes beside one another do not mix their lines. */
function appendAtOnce(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const descriptor = openSync(file, "a+", 0o600);
  try {
    const { size } = fstatSync(descriptor);
    const last = Buffer.alloc(1);
    if (size > 0) readSync(descriptor, last, 0, 1, size - 1);
    const isCut = size > 0 && last.toString() !== "\n";
    const bytes = Buffer.from((isCut ? "\n" : "") + text);
    // A disk that becomes full takes a part of it.
    if (writeSync(descriptor, bytes) < bytes.byteLength) throw new Error("The disk is full.");
    fsyncSync(descriptor);
    if (size === 0) syncFolder(dirname(file));
  } finally {
    closeSync(descriptor);
  }
}

/** So that the name survives a power cut as the content does. Windows cannot do it, and does not need it. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
