import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { Refusal } from "@frontdesk/core/domain/refusal";
import { actorOfKind, type ChannelActor } from "../../access/actor.ts";
import { findChannelAccount } from "../../channels/find-channel-account.ts";
import type { Operation } from "../../context.ts";
import type { Draft, Drafts } from "../../files/drafts.ts";
import type { FileKey, FileStorage } from "../../files/file-storage.ts";
import { storeFile, useFile } from "../../files/file-store.ts";
import { takeBackFile } from "../../files/take-back-file.ts";
import type { Logger } from "../../logger.ts";
import type { Perform } from "../../perform.ts";
import type { ChannelAccountRow } from "../../storage/tables.ts";
import { readMailHead } from "../parse/mail-head.ts";
import { BLOCK_MAX } from "../rules/header-block.ts";
import { foldAddress } from "../rules/mail-address.ts";
import { whoWrote } from "../rules/who-wrote.ts";
import { contactOfSent } from "../sent/find-sent-reply.ts";
import type { SentHead } from "../sent/sent-head.ts";
import { mailAccountSettings } from "./mail-account-settings.ts";
import { importInOrder, MAIL_MAX_BYTES } from "./mail-import.ts";
import { insertMailImport, mailImportByKey } from "./mail-import-store.ts";
import { mailKey, sentMailKey } from "./mail-key.ts";
import { startMailFile } from "./start-mail-file.ts";
import { writerHeaders } from "./unreadable-mail.ts";

/** `known`: it had been taken before, or answers nothing though it was sent; nothing was stored. */
export interface TakenMail {
  outcome: "taken" | "known";
  key: string;
}

export const RAW_MAIL_NAME = "mail.eml";
export const RAW_MAIL_TYPE = "message/rfc822";

export interface MailParts {
  perform: Perform;
  drafts: Drafts;
  fileStorage: FileStorage;
  newId(): string;
  /** Called when what is left of a failed mail could not be removed yet; the clean-up does it. */
  onTrouble(error: unknown): void;
}

/**
 * Takes a raw mail into an account, whoever brings it:
 *
 * ```
 * content on our disk --> its key --known--> nothing is stored
 *                            '--> file row --> content in its place --> file, import row and job in one commit
 * ```
 * It is safe when the promise resolves, and may then be forgotten by who sent it. Before that, and after a crash, the sender repeats
 * it. docs/decisions/0022-files.md
 *
 * @throws Refusal `too-large`, `invalid` for an empty one, `not-found` for an account that is deleted
 * @throws StorageUnavailable when it cannot be stored
 */
export function createMailIntake(parts: MailParts) {
  const { perform, drafts, fileStorage } = parts;

  /** @param folder `sent`: it is from the folder of sent mails of the account's mailbox */
  return async function takeRawMail(
    actor: ChannelActor,
    content: Readable,
    folder: "inbox" | "sent" = "inbox",
  ): Promise<TakenMail> {
    const draftId = parts.newId();
    const draft = await drafts.receive(draftId, content, MAIL_MAX_BYTES);
    try {
      const ofContent = await mailKey(createReadStream(draft.path));
      const ofSent = sentMailKey(ofContent);
      const isSent = folder === "sent";
      const key = isSent ? ofSent : ofContent;
      // A reply that was moved or copied from there is no mail that came in.
      const keys = isSent ? [key] : [key, ofSent];
      if (await perform(actor, isMailTaken, { keys })) return { outcome: "known", key };
      return await store(actor, draft, key, isSent);
    } finally {
      await drafts.remove(draftId).catch(parts.onTrouble);
    }
  };

  async function store(actor: ChannelActor, draft: Draft, key: string, isSent: boolean): Promise<TakenMail> {
    const { size } = draft;
    const start = await buffer(createReadStream(draft.path, { end: BLOCK_MAX - 1 }));
    const head = isSent ? { sent: readMailHead(start) } : { received: writerHeaders(start) };
    const { id } = await perform(actor, startMailFile, { name: RAW_MAIL_NAME, mime: RAW_MAIL_TYPE, size });
    const file: FileKey = { teamId: actor.teamId, id };
    await fileStorage.put(file, draft);
    // When this fails it may have been committed all the same: the content is left to the clean-up, which knows.
    const outcome = await perform(actor, takeMail, { key, fileId: id, size, head });
    // Taken by another process meanwhile, or what it answers was erased.
    if (outcome === "known") await takeBackFile(parts, file).catch(parts.onTrouble);
    return { outcome, key };
  }
}

export type TakeRawMail = ReturnType<typeof createMailIntake>;

type WriterHeaders = ReturnType<typeof writerHeaders>;

/**
 * Who wrote it, as its headers say: so that a mail that waits is found when its writer is erased. Once it is read, its import says it
 * (`import-mail.ts`, `note-mail-failed.ts`).
 */
function senderIn(head: WriterHeaders, account: ChannelAccountRow): string | null {
  const { address } = mailAccountSettings(account);
  const rules = { ownAddresses: address === "" ? [] : [address], formAddresses: [] };
  const writer = whoWrote(head, rules, undefined);
  return writer ? foldAddress(writer.address) : null;
}

/** Takes what was fetched from a mailbox. An empty or too large mail is left out with a line in the log: it must not block the others. */
export function takeFetchedMail(takeRawMail: TakeRawMail, logger: Pick<Logger, "warn">, folder?: "sent") {
  return async ({ teamId, accountId }: { teamId: string; accountId: string }, raw: Uint8Array): Promise<void> => {
    try {
      await takeRawMail({ kind: "channel", teamId, accountId }, Readable.from([raw]), folder);
    } catch (error) {
      if (!(error instanceof Refusal) || !["invalid", "too-large"].includes(error.reason.name)) throw error;
      logger.warn({ err: error, account: accountId }, "A mail was left in its mailbox.");
    }
  };
}

/** Whether the actor's account has taken a mail with one of these keys before. */
export const isMailTaken: Operation<{ keys: readonly string[] }, boolean> = {
  name: "is-mail-taken",
  mode: "read",
  async run(ctx, { keys }) {
    const { account } = await findChannelAccount(ctx, actorOfKind(ctx.actor, "channel").accountId);
    const of = { team_id: ctx.teamId, account_id: account.id };
    for (const key of keys) if (await ctx.db.first(mailImportByKey, { ...of, key })) return true;
    return false;
  },
};

/**
 * A raw mail, whose content is stored, belongs to the actor's account from now on, and is imported after the commit. One that was
 * taken before changes nothing; the caller removes the file.
 *
 * @throws Refusal `not-found` for an account that is deleted
 */
export const takeMail: Operation<
  { key: string; fileId: string; size: number; head: { received: WriterHeaders } | { sent: SentHead } },
  TakenMail["outcome"]
> = {
  name: "take-mail",
  mode: "write",
  async run(ctx, { key, fileId, size, head }) {
    const { account, row } = await findChannelAccount(ctx, actorOfKind(ctx.actor, "channel").accountId);
    const of = { team_id: ctx.teamId, account_id: account.id, key };
    const state = "sent" in head ? "sent" : "stored";
    const sender = "sent" in head ? await contactOfSent(ctx, row, head.sent) : senderIn(head.received, row);
    if (sender === undefined) return "known";
    const inserted = await ctx.db.run(insertMailImport, {
      ...{ ...of, state, raw_file: fileId, message_id: null, sender },
      ...{ taken_at: ctx.now, run_at: ctx.now, attempts: 0, error: null, not_spam: 0, preview: null },
    });
    if (inserted === 0) return "known";
    const file = { team_id: ctx.teamId, id: fileId };
    const stored = await ctx.db.run(storeFile, { ...file, mime: RAW_MAIL_TYPE, size });
    if (stored === 0) throw new Error("The file of a mail is not being received any more.");
    ctx.write(useFile, { ...file, used_at: ctx.now });
    ctx.enqueue(importInOrder(state, account.id));
    return "taken";
  },
};
