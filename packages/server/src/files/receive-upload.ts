import type { Readable } from "node:stream";
import type { Actor } from "../access/actor.ts";
import type { Perform } from "../perform.ts";
import type { Drafts } from "./drafts.ts";
import { dropUpload } from "./drop-upload.ts";
import { fileEmpty, fileTooLarge } from "./file.ts";
import { fileAddress } from "./file-address.ts";
import type { FileKey, FileStorage } from "./file-storage.ts";
import { finishUpload } from "./finish-upload.ts";
import { startUpload } from "./start-upload.ts";

export interface Upload {
  /** Its name, as the sender gives it. */
  name: string;
  content: Readable;
  /** Its declared size in bytes; undefined when unknown. */
  announced: number | undefined;
  /** Called before this many further bytes are written; what it throws ends the upload. */
  came?: (bytes: number) => Promise<void>;
}

export interface ReceivedFile {
  id: string;
  url: string;
  name: string;
  mime: string;
  size: number;
}

export interface UploadParts {
  perform: Perform;
  drafts: Drafts;
  fileStorage: FileStorage;
  /** The largest accepted file. */
  maxBytes: number;
  /** The beginning of the addresses of files. */
  filesUrl: string;
  /** Called with the bytes of each stored file. */
  onStored(bytes: number): void;
  /** Called when the rest of a failed upload could not be removed yet; the clean-up does it. */
  onTrouble(error: unknown): void;
}

/**
 * Receives a file from any sender:
 *
 * ```
 * row (receiving) --> content on our disk --> content in its place --> row (stored), answered
 * ```
 * Nothing slow happens inside a transaction, and a file cannot be read before it is complete. After any failure the upload
 * is removed.
 *
 * @throws Refusal `too-large`, `invalid` on `file` (empty, or too many wait already), `not-allowed`, and what `came` throws
 * @throws StorageUnavailable when the database or the file storage cannot be reached
 */
export function createUploads(parts: UploadParts) {
  const { perform, drafts, fileStorage, maxBytes, filesUrl } = parts;

  return async function receiveUpload(actor: Actor, { name, content, announced, came }: Upload): Promise<ReceivedFile> {
    if (announced === 0) throw fileEmpty();
    if (announced !== undefined && announced > maxBytes) throw fileTooLarge(maxBytes);
    const started = await perform(actor, startUpload, { name, size: announced ?? maxBytes });
    const key: FileKey = { teamId: actor.teamId, id: started.id };
    let placing = false;
    try {
      const draft = await drafts.receive(key.id, content, maxBytes, came);
      const { mime, size } = draft;
      placing = true;
      await fileStorage.put(key, draft);
      await perform(system(key), finishUpload, { id: key.id, mime, size });
      parts.onStored(size);
      return { id: key.id, url: fileAddress(filesUrl, started.token, started.name), name: started.name, mime, size };
    } catch (error) {
      // The rest is read and discarded: browsers read an answer only after they have sent everything.
      content.resume();
      await takeBack(key, placing).catch(parts.onTrouble);
      throw error;
    }
  };

  async function takeBack(key: FileKey, placed: boolean): Promise<void> {
    await drafts.remove(key.id);
    if (placed) await fileStorage.remove(key);
    await perform(system(key), dropUpload, { id: key.id });
  }
}

export type ReceiveUpload = ReturnType<typeof createUploads>;

const system = ({ teamId }: FileKey) => ({ kind: "system", teamId }) as const;
