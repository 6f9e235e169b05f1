import { Readable } from "node:stream";
import type { ChannelActor } from "../../access/actor.ts";
import type { Drafts } from "../../files/drafts.ts";
import type { FileKey, FileStorage } from "../../files/file-storage.ts";
import { takeBackFile } from "../../files/take-back-file.ts";
import { wholeContent } from "../../files/whole-content.ts";
import type { Perform } from "../../perform.ts";
import { MAIL_MAX_BYTES } from "../in/mail-import.ts";
import { startMailFile } from "../in/start-mail-file.ts";
import { RAW_MAIL_NAME, RAW_MAIL_TYPE } from "../in/take-mail.ts";
import { composeMail } from "./compose-mail.ts";
import { keepComposedMail } from "./keep-raw-mail.ts";
import type { MailToSend } from "./mail-to-send.ts";

export interface RawMailParts {
  perform(): Perform;
  drafts: Drafts;
  fileStorage: FileStorage;
  newId(): string;
  random(bytes: number): Uint8Array;
  onTrouble(error: unknown): void;
}

/**
 * The bytes of a mail: composed before its first attempt, and read in every later one. Undefined when it was erased meanwhile.
 *
 * ```
 * composed --> file row --> content in its place --> the mail has the file --> sent
 *                                                    '-- it had one, or is gone: this one is removed
 * ```
 */
export async function rawMail(
  parts: RawMailParts,
  actor: ChannelActor,
  { mail, content, files }: MailToSend,
): Promise<Uint8Array | undefined> {
  const { teamId } = actor;
  if (mail.raw_file !== null) return readWhole(parts, { teamId, id: mail.raw_file });
  const attachments = await Promise.all(
    files.map(async ({ name, mime, id }) => ({ name, mime, content: await readWhole(parts, { teamId, id }) })),
  );
  const composed = await composeMail({ ...content, attachments }, parts.random);
  const draftId = parts.newId();
  const draft = await parts.drafts.receive(draftId, Readable.from([Buffer.from(composed)]), MAIL_MAX_BYTES);
  try {
    const { size } = draft;
    const started = { name: RAW_MAIL_NAME, mime: RAW_MAIL_TYPE, size };
    const { id } = await parts.perform()(actor, startMailFile, started);
    await parts.fileStorage.put({ teamId, id }, draft);
    const takeBack = () =>
      takeBackFile({ fileStorage: parts.fileStorage, perform: parts.perform() }, { teamId, id }).catch(parts.onTrouble);
    const toKeep = {
      messageId: mail.message_id,
      fileId: id,
      size,
      isQuoting: content.quoted !== null || content.forwarded !== null,
    };
    const kept = await parts
      .perform()(actor, keepComposedMail, toKeep)
      .catch(async (error: unknown) => {
        await takeBack();
        throw error;
      });
    if (kept === id) return composed;
    await takeBack();
    return kept === undefined ? undefined : readWhole(parts, { teamId, id: kept });
  } finally {
    await parts.drafts.remove(draftId).catch(parts.onTrouble);
  }
}

async function readWhole({ fileStorage }: RawMailParts, key: FileKey): Promise<Uint8Array> {
  const content = await fileStorage.read(key);
  if (!content) throw new Error("The file of a mail is not there.");
  return wholeContent(content);
}
