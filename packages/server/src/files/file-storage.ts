import type { Readable } from "node:stream";
import type { Draft } from "./drafts.ts";

/** The team and id of a file; every storage makes its own name of it. */
export interface FileKey {
  teamId: string;
  id: string;
}

/** From the first byte to the last, both counted from 0. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * Where the content of files is stored. It has two implementations, a folder (`disk-files.ts`) and a bucket (`s3-files.ts`). A
 * content never changes once it is stored. It is never used inside a transaction.
 *
 * @throws StorageUnavailable from every method when the storage cannot be reached, is full, or refuses access
 */
export interface FileStorage {
  /** Its name, for people: `the folder …`, `the bucket …`. */
  readonly name: string;
  /**
   * Stores a complete file; the draft is gone afterwards. It is durable when the promise resolves. A repeat has the same
   * result.
   */
  put(key: FileKey, draft: Draft): Promise<void>;
  /** All of a file or a part of it; undefined when it does not exist. The caller has to read or destroy it. */
  read(key: FileKey, range?: ByteRange): Promise<Readable | undefined>;
  /** A repeat, and a missing file, change nothing. */
  remove(key: FileKey): Promise<void>;
}
