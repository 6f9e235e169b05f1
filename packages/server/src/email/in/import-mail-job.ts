import { Readable } from "node:stream";
import { Refusal } from "@frontdesk/core/domain/refusal";
import { actorOfKind, type ChannelActor } from "../../access/actor.ts";
import { findChannelAccount } from "../../channels/find-channel-account.ts";
import type { Operation } from "../../context.ts";
import type { NewAttachment } from "../../conversations/add-message.ts";
import type { Drafts } from "../../files/drafts.ts";
import { fileAddress } from "../../files/file-address.ts";
import type { FileStorage } from "../../files/file-storage.ts";
import { finishUpload } from "../../files/finish-upload.ts";
import { wholeContent } from "../../files/whole-content.ts";
import { enqueueUnlessWaiting } from "../../jobs/enqueue-unless-waiting.ts";
import type { JobHandler } from "../../jobs/job.ts";
import type { Perform } from "../../perform.ts";
import { StorageUnavailable } from "../../storage/database.ts";
import type { MailImportRow } from "../../storage/tables.ts";
import { readMailHead } from "../parse/mail-head.ts";
import type { MailAttachment, ParsedMail } from "../parse/parsed-mail.ts";
import type { WriterRules } from "../rules/who-wrote.ts";
import { importSentMail } from "../sent/import-sent-mail.ts";
import type { SentHead } from "../sent/sent-head.ts";
import { importMail, type MailImported, type MailToImport } from "./import-mail.ts";
import { type IncomingMail, readIncoming } from "./incoming-mail.ts";
import { mailAccountSettings } from "./mail-account-settings.ts";
import { importInOrder, MAIL_MAX_BYTES, type WaitingState } from "./mail-import.ts";
import { nextMailImports } from "./mail-import-store.ts";
import { noteMailFailed } from "./note-mail-failed.ts";
import { withoutSignatureImages } from "./signature-images.ts";
import { startMailFile } from "./start-mail-file.ts";
import { RAW_MAIL_TYPE } from "./take-mail.ts";
import { unreadableMail } from "./unreadable-mail.ts";

/** Reads a raw mail outside of this thread, with bounds of its own; undefined for one that cannot be read. */
export type ParseMail = (raw: Uint8Array) => Promise<ParsedMail | undefined>;

export interface ImportParts {
  perform(): Perform;
  drafts: Drafts;
  fileStorage: FileStorage;
  newId(): string;
  /** The beginning of the addresses of files. */
  filesUrl: string;
  parse: ParseMail;
  onTrouble(error: unknown): void;
}

/** What an attempt has found and stored, for one that fails. */
interface Attempt {
  mail: IncomingMail | undefined;
  fileIds: string[];
}

/** What the commit needs of a mail; `head` of a sent one. */
type PreparedMail = MailToImport & { head?: SentHead };

/** So many mails are looked for at once, and so many commits are under way. */
const MAILS_AHEAD = 8;
/** After so many mails the other mailboxes have their turn: a process runs four of these jobs at once. */
export const MOST_A_JOB = 200;
/** So many files of a mail are written at once. */
const FILES_AT_ONCE = 4;

/**
 * Imports the mails of an account that wait in a state, in their order:
 *
 * ```
 * next waiting --> read from the file storage --> parsed --> its files stored --> message and import row in one commit --> next
 *                                                 '-- not readable: a message that says so, with its original
 * ```
 * One is read at a time, while those before it are committed. One that fails is tried again later, without the files that it has stored,
 * and the others go on; when the storage is away, the job is. A crash leaves at most files that no message has. After `MOST_A_JOB` mails
 * the job ends, and the next one goes on.
 */
export function importMailJob(parts: ImportParts, state: WaitingState): JobHandler<"import-mail" | "import-sent-mail"> {
  return async ({ accountId }, { teamId, signal }) => {
    const actor: ChannelActor = { kind: "channel", teamId, accountId };
    let imported = 0;
    for (;;) {
      signal.throwIfAborted();
      const next = await nextOf(actor);
      if (!next) return;
      if (imported >= MOST_A_JOB) return parts.perform()(actor, importMore, { state });
      await importAll(actor, next, signal);
      imported += next.rows.length;
    }
  };

  async function nextOf(actor: ChannelActor): Promise<NextMails | undefined> {
    try {
      return await parts.perform()(actor, nextMails, { state });
    } catch (error) {
      // The account was deleted.
      if (error instanceof Refusal && error.reason.name === "not-found") return undefined;
      throw error;
    }
  }

  async function importAll(actor: ChannelActor, { rows, ...of }: NextMails, signal: AbortSignal): Promise<void> {
    const commits: Promise<void>[] = [];
    try {
      for (const row of rows) {
        signal.throwIfAborted();
        const attempt: Attempt = { mail: undefined, fileIds: [] };
        const onError = (error: unknown) => noteFailed(actor, row, attempt, error, signal);
        const toImport = await prepare(actor, { row, ...of }, attempt).catch(onError);
        // Commits are made in the order in which they are asked for.
        const commit = toImport && commitOf(actor, toImport).then(() => {}, onError);
        // It is awaited below; until then its failure must not count as unhandled.
        commit?.catch(() => {});
        if (commit) commits.push(commit);
      }
    } finally {
      await Promise.allSettled(commits);
    }
    await Promise.all(commits);
  }

  function commitOf(actor: ChannelActor, { head, ...toImport }: PreparedMail): Promise<MailImported> {
    const perform = parts.perform();
    return head ? perform(actor, importSentMail, { ...toImport, head }) : perform(actor, importMail, toImport);
  }

  async function noteFailed(
    actor: ChannelActor,
    { key }: MailImportRow,
    attempt: Attempt,
    error: unknown,
    signal: AbortSignal,
  ): Promise<undefined> {
    if (error instanceof StorageUnavailable || signal.aborted) throw error;
    parts.onTrouble(error);
    await parts.perform()(actor, noteMailFailed, { key, error: String(error), ...attempt });
  }

  async function prepare(
    actor: ChannelActor,
    { row, ...of }: Omit<NextMails, "rows"> & { row: MailImportRow },
    attempt: Attempt,
  ): Promise<PreparedMail> {
    const { teamId } = actor;
    const id = row.raw_file;
    const content = id === null ? undefined : await parts.fileStorage.read({ teamId, id });
    if (!content) throw new Error("The original of a mail is not there.");
    const raw = await wholeContent(content);
    const parsed = await parts.parse(raw);
    const isSent = state === "sent";
    // Whom a sent mail is about is known since it was taken; its From is who wrote it, whatever addresses are ours.
    const writers = isSent ? { ownAddresses: [], formAddresses: [] } : of.writers;
    const mail: IncomingMail = parsed ? readIncoming(parsed, writers, of.authservId) : unreadableMail(raw);
    if (!isSent) attempt.mail = mail;
    const listed = (parsed ? parsed.attachments : [{ name: "mail.eml", mime: RAW_MAIL_TYPE, content: raw }]).filter(
      (file) => file.content.byteLength > 0,
    );
    const files = await withoutSignatureImages(parts, actor, isSent ? undefined : mail.sender?.address, listed);
    const attachments: NewAttachment[] = [];
    for (let from = 0; from < files.length; from += FILES_AT_ONCE) {
      const some = files.slice(from, from + FILES_AT_ONCE).map((file) => keepFile(actor, file, attempt));
      // All of them, so that one that fails leaves none under way.
      await Promise.allSettled(some);
      attachments.push(...(await Promise.all(some)));
    }
    const toImport = { key: row.key, mail, attachments, fileIds: attempt.fileIds };
    return isSent ? { ...toImport, head: parsed ?? readMailHead(raw) } : toImport;
  }

  async function keepFile(
    actor: ChannelActor,
    { name, content }: Pick<MailAttachment, "name" | "content">,
    attempt: Attempt,
  ): Promise<NewAttachment> {
    const draftId = parts.newId();
    const draft = await parts.drafts.receive(draftId, Readable.from([content]), MAIL_MAX_BYTES);
    try {
      const { mime, size } = draft;
      const started = await parts.perform()(actor, startMailFile, { name, mime, size });
      attempt.fileIds.push(started.id);
      const key = { teamId: actor.teamId, id: started.id };
      await parts.fileStorage.put(key, draft);
      await parts.perform()({ kind: "system", teamId: actor.teamId }, finishUpload, { id: started.id, mime, size });
      return { url: fileAddress(parts.filesUrl, started.token, started.name), name: started.name };
    } finally {
      await parts.drafts.remove(draftId).catch(parts.onTrouble);
    }
  }
}

/** Another job goes on with the mails of the actor's account, behind those of other mailboxes that are due. */
export const importMore: Operation<{ state: WaitingState }, void> = {
  name: "import-more",
  mode: "write",
  async run(ctx, { state }) {
    const { accountId } = actorOfKind(ctx.actor, "channel");
    await enqueueUnlessWaiting(ctx, importInOrder(state, accountId));
  },
};

export interface NextMails {
  /** At least one. */
  rows: readonly MailImportRow[];
  writers: WriterRules;
  authservId: string | null;
}

/** The next mails of the actor's account that are to be imported; undefined for none, also while the account is paused. */
export const nextMails: Operation<{ state: WaitingState }, NextMails | undefined> = {
  name: "next-mail",
  mode: "read",
  async run(ctx, { state }) {
    const { row: account } = await findChannelAccount(ctx, actorOfKind(ctx.actor, "channel").accountId);
    if (account.state === "paused") return undefined;
    const of = { team_id: ctx.teamId, account_id: account.id, now: ctx.now, limit: MAILS_AHEAD };
    const rows = await ctx.db.all(nextMailImports[state], of);
    const { writers, authservId } = mailAccountSettings(account);
    return rows.length > 0 ? { rows, writers, authservId } : undefined;
  },
};
