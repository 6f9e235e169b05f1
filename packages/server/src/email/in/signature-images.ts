import { actorOfKind, type ChannelActor } from "../../access/actor.ts";
import { tokenHash } from "../../access/token.ts";
import type { Operation } from "../../context.ts";
import type { FileState } from "../../files/file.ts";
import { fileTokenIn } from "../../files/file-address.ts";
import type { FileStorage } from "../../files/file-storage.ts";
import { fileByToken } from "../../files/file-store.ts";
import { wholeContent } from "../../files/whole-content.ts";
import type { Perform } from "../../perform.ts";
import { foldAddress } from "../rules/mail-address.ts";
import { smallImagesOfSender } from "./signature-image-store.ts";

/** Images of signatures are smaller; photos and screenshots are not. */
const SIGNATURE_MAX_BYTES = 20 * 1_024;
/** From this mail of a sender on, the same image is that of a signature. */
const MAILS_WITH_IT = 3;
/** So many images of a sender are looked at. */
const IMAGES_MAX = 500;

interface Image {
  mime: string;
  content: Uint8Array;
}

/** An image that a sender has sent before: by what is known without its content. */
interface EarlierImage {
  messageId: string;
  fileId: string;
  size: number;
}

/**
 * The files of a mail without those of its sender's signature: the same small image, byte by byte, as in two mails of theirs before.
 * They are attached to each mail, and would be listed at each message. The original has them.
 */
export async function withoutSignatureImages<File extends Image>(
  parts: { perform(): Perform; fileStorage: FileStorage },
  actor: ChannelActor,
  sender: string | undefined,
  files: readonly File[],
): Promise<File[]> {
  const small = files.filter(isSmallImage);
  if (sender === undefined || small.length === 0) return [...files];
  const sizes = [...new Set(small.map(({ content }) => content.byteLength))];
  const earlier = await parts.perform()(actor, earlierImages, { sender, sizes });
  const isOfSignature = await Promise.all(
    files.map(async (file) => {
      if (!isSmallImage(file)) return false;
      const alike = earlier.filter(({ size }) => size === file.content.byteLength);
      const mails = new Set<string>();
      for (const { messageId, fileId } of alike) {
        if (mails.size >= MAILS_WITH_IT - 1) break;
        if (mails.has(messageId)) continue;
        const content = await parts.fileStorage.read({ teamId: actor.teamId, id: fileId });
        if (content && Buffer.compare(await wholeContent(content), file.content) === 0) mails.add(messageId);
      }
      return mails.size >= MAILS_WITH_IT - 1;
    }),
  );
  return files.filter((_, index) => !isOfSignature[index]);
}

const isSmallImage = ({ mime, content }: Image): boolean =>
  mime.startsWith("image/") && content.byteLength > 0 && content.byteLength < SIGNATURE_MAX_BYTES;

/** The small images that a sender has sent to the actor's account, of these sizes. */
export const earlierImages: Operation<{ sender: string; sizes: readonly number[] }, EarlierImage[]> = {
  name: "earlier-images",
  mode: "read",
  async run(ctx, { sender, sizes }) {
    const of = { team_id: ctx.teamId, account_id: actorOfKind(ctx.actor, "channel").accountId };
    const most = { size: SIGNATURE_MAX_BYTES, limit: IMAGES_MAX };
    const rows = await ctx.db.all(smallImagesOfSender, { ...of, sender: foldAddress(sender), ...most });
    const found = await Promise.all(
      rows.map(async ({ message_id: messageId, url, size }) => {
        const token = sizes.includes(size) ? fileTokenIn(url, ctx.teamId) : undefined;
        const file = token && (await ctx.db.first(fileByToken, { team_id: ctx.teamId, token_hash: tokenHash(token) }));
        return file && file.state === ("stored" satisfies FileState) ? [{ messageId, fileId: file.id, size }] : [];
      }),
    );
    return found.flat();
  },
};
