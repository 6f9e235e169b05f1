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
import { enqueueUnlessWaiting } from "../../jobs/enqueue-unless-waiting.ts";
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
 * Takes raw mails into an account, whoever brings them:
 *
 * ```
 * content on our disk --> its key --known--> nothing is stored
 *                            '--> file row --> content in its place --> file, import row and job in one commit
 * ```
 * They are safe when the promise resolves, and may then be forgotten by who sent them. Before that, and after a crash, the sender
 * repeats them. docs/decisions/0022-files.md
 */
export function createMailIntake(parts: MailParts) {
  const { perform, drafts, fileStorage } = parts;
  return { takeRawMail, takeRawMails };

  /**
   * @param folder `sent`: it is from the folder of sent mails of the account's mailbox
   * @throws Refusal `too-large`, `invalid` for an empty one, `not-found` for an account that is deleted
   * @throws StorageUnavailable when it cannot be stored
   */
  async function takeRawMail(actor: ChannelActor, content: Readable, folder: MailFolder = "inbox"): Promise<TakenMail> {
    const onRefused = (refusal: Refusal) => {
      throw refusal;
    };
    const [taken] = await takeAll(actor, [content], { folder, onRefused });
    if (!taken) throw new Error("A mail was neither taken nor refused.");
    return taken;
  }

  /**
   * The same of several, in their order: each step of all of them before the next step, so that they share their commits. None is taken
   * unless all are on the disk.
   *
   * @param raws small ones: all of them are in memory
   */
  async function takeRawMails(actor: ChannelActor, raws: readonly Uint8Array[], intake: Intake): Promise<void> {
    await takeAll(
      actor,
      raws.map((raw) => Readable.from([raw])),
      intake,
    );
  }

  async function takeAll(
    actor: ChannelActor,
    contents: readonly Readable[],
    { folder, onRefused }: Intake,
  ): Promise<TakenMail[]> {
    const ids = contents.map(() => parts.newId());
    try {
      const received = await all(contents.map((content, index) => receive(ids[index] as string, content, onRefused)));
      const mails = received.filter((mail) => mail !== undefined).map((mail) => withKeys(mail, folder));
      const known = await all(mails.map(({ keys }) => perform(actor, isMailTaken, { keys })));
      const unknown = mails.filter((_, index) => !known[index]);
      const outcomes = await store(actor, unknown, folder);
      return mails.map((mail) => ({ outcome: outcomes[unknown.indexOf(mail)] ?? "known", key: mail.key }));
    } finally {
      for (const id of ids) await drafts.remove(id).catch(parts.onTrouble);
    }
  }

  async function receive(
    id: string,
    content: Readable,
    onRefused: Intake["onRefused"],
  ): Promise<ReceivedMail | undefined> {
    try {
      const draft = await drafts.receive(id, content, MAIL_MAX_BYTES);
      return { draft, key: await mailKey(createReadStream(draft.path)) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      onRefused(error);
      return undefined;
    }
  }

  async function store(
    actor: ChannelActor,
    mails: readonly ReceivedMail[],
    folder: MailFolder,
  ): Promise<TakenMail["outcome"][]> {
    // Writes are done in the order in which they are asked for, so ids rise, and mails are imported, in the order of the mails.
    const started = await all(
      mails.map(({ draft: { size } }) =>
        perform(actor, startMailFile, { name: RAW_MAIL_NAME, mime: RAW_MAIL_TYPE, size }),
      ),
    );
    const files = started.map(({ id }): FileKey => ({ teamId: actor.teamId, id }));
    const heads = await all(
      mails.map(async ({ draft }, index) => {
        const head = await headOf(draft, folder);
        await fileStorage.put(files[index] as FileKey, draft);
        return head;
      }),
    );
    // When this fails it may have been committed all the same: the content is left to the clean-up, which knows.
    const outcomes = await all(
      mails.map(({ draft: { size }, key }, index) => {
        const [file, head] = [files[index] as FileKey, heads[index] as MailHead];
        return perform(actor, takeMail, { key, fileId: file.id, size, head });
      }),
    );
    for (const [index, outcome] of outcomes.entries()) {
      // Taken by another process meanwhile, or twice among these, or what it answers was erased.
      if (outcome === "known") await takeBackFile(parts, files[index] as FileKey).catch(parts.onTrouble);
    }
    return outcomes;
  }
}

type MailIntake = ReturnType<typeof createMailIntake>;
export type TakeRawMail = MailIntake["takeRawMail"];
export type TakeRawMails = MailIntake["takeRawMails"];

/** The folder of the account's mailbox that a mail is from. */
type MailFolder = "inbox" | "sent";

interface Intake {
  folder: MailFolder;
  /** Called for each mail that is too large or empty. */
  onRefused(refusal: Refusal): void;
}

/** A mail on our disk. */
interface ReceivedMail {
  draft: Draft;
  key: string;
}

function withKeys({ draft, key: ofContent }: ReceivedMail, folder: MailFolder): ReceivedMail & { keys: string[] } {
  const ofSent = sentMailKey(ofContent);
  // A reply that was moved or copied from the folder of sent mails is no mail that came in.
  if (folder === "inbox") return { draft, key: ofContent, keys: [ofContent, ofSent] };
  return { draft, key: ofSent, keys: [ofSent] };
}

/** As Promise.all, but fails when nothing is under way any more. */
async function all<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

type WriterHeaders = ReturnType<typeof writerHeaders>;
type MailHead = { received: WriterHeaders } | { sent: SentHead };

async function headOf({ path }: Draft, folder: MailFolder): Promise<MailHead> {
  const start = await buffer(createReadStream(path, { end: BLOCK_MAX - 1 }));
  return folder === "sent" ? { sent: readMailHead(start) } : { received: writerHeaders(start) };
}

/**
 * Who wrote it, as its headers say: so that a mail that waits is found when its writer is erased. Once it is read, its import says it
 * (`import-mail.ts`, `note-mail-failed.ts`).
 */
function senderIn(head: WriterHeaders, account: ChannelAccountRow): string | null {
  const writer = whoWrote(head, mailAccountSettings(account).writers, undefined);
  return writer ? foldAddress(writer.address) : null;
}

/** Takes what was fetched from a mailbox. An empty or too large mail is left out with a line in the log: it must not block the others. */
export function takeFetchedMails(
  { takeRawMails }: { takeRawMails: TakeRawMails },
  logger: Pick<Logger, "warn">,
  folder: MailFolder = "inbox",
) {
  return ({ teamId, accountId }: { teamId: string; accountId: string }, raws: readonly Uint8Array[]): Promise<void> =>
    takeRawMails({ kind: "channel", teamId, accountId }, raws, {
      folder,
      onRefused(refusal) {
        if (!["invalid", "too-large"].includes(refusal.reason.name)) throw refusal;
        logger.warn({ err: refusal, account: accountId }, "A mail was left in its mailbox.");
      },
    });
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

/** A mail whose content is in the file storage. */
interface StoredMail {
  key: string;
  fileId: string;
  size: number;
  head: MailHead;
}

/**
 * A raw mail, whose content is stored, belongs to the actor's account from now on, and is imported after the commit. One that was
 * taken before changes nothing; the caller removes the file.
 *
 * @throws Refusal `not-found` for an account that is deleted
 */
export const takeMail: Operation<StoredMail, TakenMail["outcome"]> = {
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
    await enqueueUnlessWaiting(ctx, importInOrder(state, account.id));
    return "taken";
  },
};
