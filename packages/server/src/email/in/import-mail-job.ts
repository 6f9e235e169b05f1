import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { Refusal } from "@frontdesk/core/domain/refusal";
import { actorOfKind, type ChannelActor } from "../../access/actor.ts";
import { findChannelAccount } from "../../channels/find-channel-account.ts";
import type { Operation } from "../../context.ts";
import type { NewAttachment } from "../../conversations/add-message.ts";
import type { Drafts } from "../../files/drafts.ts";
import { fileAddress } from "../../files/file-address.ts";
import type { FileStorage } from "../../files/file-storage.ts";
import { finishUpload } from "../../files/finish-upload.ts";
import type { JobHandler } from "../../jobs/job.ts";
import type { Perform } from "../../perform.ts";
import { StorageUnavailable } from "../../storage/database.ts";
import type { MailImportRow } from "../../storage/tables.ts";
import { readMailHead } from "../parse/mail-head.ts";
import type { MailAttachment, ParsedMail } from "../parse/parsed-mail.ts";
import { importSentMail } from "../sent/import-sent-mail.ts";
import { importMail } from "./import-mail.ts";
import { type IncomingMail, readIncoming } from "./incoming-mail.ts";
import { mailAccountSettings } from "./mail-account-settings.ts";
import { MAIL_MAX_BYTES, type WaitingState } from "./mail-import.ts";
import { nextMailImports } from "./mail-import-store.ts";
import { noteMailFailed } from "./note-mail-failed.ts";
import { startMailFile } from "./start-mail-file.ts";
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

/**
 * Imports the mails of an account that wait in a state, one after another:
 *
 * ```
 * next waiting --> read from the file storage --> parsed --> its files stored --> message and import row in one commit --> next
 *                                                 '-- not readable: a message that says so, with its original
 * ```
 * One that fails is tried again later, without the files that it has stored, and the others go on; when the storage is away, the job
 * is. A crash leaves at most files that no message has.
 */
export function importMailJob(parts: ImportParts, state: WaitingState): JobHandler<"import-mail" | "import-sent-mail"> {
  return async ({ accountId }, { teamId, signal }) => {
    const actor: ChannelActor = { kind: "channel", teamId, accountId };
    for (;;) {
      signal.throwIfAborted();
      const next = await nextOf(actor);
      if (!next) return;
      const attempt: Attempt = { mail: undefined, fileIds: [] };
      try {
        await importOne(actor, next, attempt);
      } catch (error) {
        if (error instanceof StorageUnavailable || signal.aborted) throw error;
        parts.onTrouble(error);
        await parts.perform()(actor, noteMailFailed, { key: next.row.key, error: String(error), ...attempt });
      }
    }
  };

  async function nextOf(actor: ChannelActor): Promise<NextMail | undefined> {
    try {
      return await parts.perform()(actor, nextMail, { state });
    } catch (error) {
      // The account was deleted.
      if (error instanceof Refusal && error.reason.name === "not-found") return undefined;
      throw error;
    }
  }

  async function importOne(actor: ChannelActor, { row, ...of }: NextMail, attempt: Attempt): Promise<void> {
    const { teamId } = actor;
    const id = row.raw_file;
    const content = id === null ? undefined : await parts.fileStorage.read({ teamId, id });
    if (!content) throw new Error("The original of a mail is not there.");
    const raw = await buffer(content);
    const parsed = await parts.parse(raw);
    const isSent = state === "sent";
    // Whom a sent mail is about is known since it was taken; its From is who wrote it, whatever addresses are ours.
    const ownAddresses = isSent ? [] : of.ownAddresses;
    const mail: IncomingMail = parsed ? readIncoming(parsed, ownAddresses, of.authservId) : unreadableMail(raw);
    if (!isSent) attempt.mail = mail;
    const files = parsed ? parsed.attachments : [{ name: "mail.eml", content: raw }];
    const attachments: NewAttachment[] = [];
    for (const part of files) {
      if (part.content.byteLength > 0) attachments.push(await keepFile(actor, part, attempt));
    }
    const { fileIds } = attempt;
    const toImport = { key: row.key, mail, attachments, fileIds };
    if (isSent) await parts.perform()(actor, importSentMail, { ...toImport, head: parsed ?? readMailHead(raw) });
    else await parts.perform()(actor, importMail, toImport);
  }

  async function keepFile(
    actor: ChannelActor,
    { name, content }: Pick<MailAttachment, "name" | "content">,
    attempt: Attempt,
  ): Promise<NewAttachment> {
    const draftId = parts.newId();
    const draft = await parts.drafts.receive(draftId, Readable.from([Buffer.from(content)]), MAIL_MAX_BYTES);
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

export interface NextMail {
  row: MailImportRow;
  ownAddresses: readonly string[];
  authservId: string | null;
}

/** The next mail of the actor's account that is to be imported; undefined for none, also while the account is paused. */
export const nextMail: Operation<{ state: WaitingState }, NextMail | undefined> = {
  name: "next-mail",
  mode: "read",
  async run(ctx, { state }) {
    const { row: account } = await findChannelAccount(ctx, actorOfKind(ctx.actor, "channel").accountId);
    if (account.state === "paused") return undefined;
    const of = { team_id: ctx.teamId, account_id: account.id, now: ctx.now };
    const row = await ctx.db.first(nextMailImports[state], of);
    const { address, authservId } = mailAccountSettings(account);
    return row && { row, ownAddresses: address === "" ? [] : [address], authservId };
  },
};
