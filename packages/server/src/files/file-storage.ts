import type { Readable } from "node:stream";
import type { Draft } from "./drafts.ts";

/** Whose file it is, and which; every place makes its own name of it. */
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
 * Where the content of files lies. Two stand behind it, a folder (`disk-files.ts`) and a bucket (`s3-files.ts`). A content never
 * changes once it is there. Nothing of it is asked for inside a transaction.
 *
 * @throws StorageUnavailable from every method when the place cannot be reached, is full, or refuses us
 */
export interface FileStorage {
  /** What it is, for people: `the folder …`, `the bucket …`. */
  readonly name: string;
  /** Takes a whole file in; the draft is gone afterwards. It is there for good when the promise resolves. A repeat is as the first. */
  put(key: FileKey, draft: Draft): Promise<void>;
  /** All of a file or a part of it; undefined when it is not there. Whoever gets it has to read it or to destroy it. */
  read(key: FileKey, range?: ByteRange): Promise<Readable | undefined>;
  /** A repeat, and a file that is not there, change nothing. */
  remove(key: FileKey): Promise<void>;
}
