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
import { BLOCK_MAX } from "../rules/header-block.ts";
import { foldAddress } from "../rules/mail-address.ts";
import { whoWrote } from "../rules/who-wrote.ts";
import { mailAccountSettings } from "./mail-account-settings.ts";
import { importQueue, MAIL_MAX_BYTES } from "./mail-import.ts";
import { insertMailImport, mailImportByKey } from "./mail-import-store.ts";
import { mailKey } from "./mail-key.ts";
import { startMailFile } from "./start-mail-file.ts";
import { writerHeaders } from "./unreadable-mail.ts";

/** `known`: it had been taken before, and nothing was stored. */
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

  return async function takeRawMail(actor: ChannelActor, content: Readable): Promise<TakenMail> {
    const draftId = parts.newId();
    const draft = await drafts.receive(draftId, content, MAIL_MAX_BYTES);
    try {
      const key = await mailKey(createReadStream(draft.path));
      if (await perform(actor, isMailTaken, { key })) return { outcome: "known", key };
      return await store(actor, draft, key);
    } finally {
      await drafts.remove(draftId).catch(parts.onTrouble);
    }
  };

  async function store(actor: ChannelActor, draft: Draft, key: string): Promise<TakenMail> {
    const { size } = draft;
    const head = await headOf(draft);
    const { id } = await perform(actor, startMailFile, { name: RAW_MAIL_NAME, mime: RAW_MAIL_TYPE, size });
    const file: FileKey = { teamId: actor.teamId, id };
    await fileStorage.put(file, draft);
    // When this fails it may have been committed all the same: the content is left to the clean-up, which knows.
    const outcome = await perform(actor, takeMail, { key, fileId: id, size, head });
    // Taken by another process meanwhile.
    if (outcome === "known") await takeBackFile(parts, file).catch(parts.onTrouble);
    return { outcome, key };
  }
}

export type TakeRawMail = ReturnType<typeof createMailIntake>;

type WriterHeaders = ReturnType<typeof writerHeaders>;

async function headOf({ path }: Draft): Promise<WriterHeaders> {
  return writerHeaders(await buffer(createReadStream(path, { end: BLOCK_MAX - 1 })));
}

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
export function takeFetchedMail(takeRawMail: TakeRawMail, logger: Pick<Logger, "warn">) {
  return async ({ teamId, accountId }: { teamId: string; accountId: string }, raw: Uint8Array): Promise<void> => {
    try {
      await takeRawMail({ kind: "channel", teamId, accountId }, Readable.from([raw]));
    } catch (error) {
      if (!(error instanceof Refusal) || !["invalid", "too-large"].includes(error.reason.name)) throw error;
      logger.warn({ err: error, account: accountId }, "A mail was left in its mailbox.");
    }
  };
}

/** Whether the actor's account has taken this mail before. */
export const isMailTaken: Operation<{ key: string }, boolean> = {
  name: "is-mail-taken",
  mode: "read",
  async run(ctx, { key }) {
    const { account } = await findChannelAccount(ctx, actorOfKind(ctx.actor, "channel").accountId);
    return (await ctx.db.first(mailImportByKey, { team_id: ctx.teamId, account_id: account.id, key })) !== undefined;
  },
};

/**
 * A raw mail, whose content is stored, belongs to the actor's account from now on, and is imported after the commit. One that was
 * taken before changes nothing; the caller removes the file.
 *
 * @throws Refusal `not-found` for an account that is deleted
 */
export const takeMail: Operation<
  { key: string; fileId: string; size: number; head: WriterHeaders },
  TakenMail["outcome"]
> = {
  name: "take-mail",
  mode: "write",
  async run(ctx, { key, fileId, size, head }) {
    const { account, row } = await findChannelAccount(ctx, actorOfKind(ctx.actor, "channel").accountId);
    const of = { team_id: ctx.teamId, account_id: account.id, key };
    const inserted = await ctx.db.run(insertMailImport, {
      ...{ ...of, state: "stored", raw_file: fileId, message_id: null, sender: senderIn(head, row) },
      ...{ taken_at: ctx.now, run_at: ctx.now, attempts: 0, error: null, not_spam: 0, preview: null },
    });
    if (inserted === 0) return "known";
    const file = { team_id: ctx.teamId, id: fileId };
    const stored = await ctx.db.run(storeFile, { ...file, mime: RAW_MAIL_TYPE, size });
    if (stored === 0) throw new Error("The file of a mail is not being received any more.");
    ctx.write(useFile, { ...file, used_at: ctx.now });
    ctx.enqueue({ kind: "import-mail", payload: { accountId: account.id }, queueKey: importQueue(account.id) });
    return "taken";
  },
};
