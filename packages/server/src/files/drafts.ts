import { createHash } from "node:crypto";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { StorageUnavailable } from "../storage/database.ts";
import { fitsOnDisk } from "../storage/disk-reserve.ts";
import { watchContent } from "./content-type.ts";
import { fileEmpty, fileTooLarge } from "./file.ts";

/** A file that was received completely and is not stored yet. */
export interface Draft {
  path: string;
  /** In bytes, at least 1. */
  size: number;
  /** Of its content, hexadecimal. */
  sha256: string;
  /** Detected from its content. */
  mime: string;
}

type Came = (bytes: number) => Promise<void>;

export interface Drafts {
  /**
   * Writes the received bytes to disk. Unless it succeeds, nothing is left.
   *
   * @param id names the draft; one at a time
   * @param came called before this many further bytes are written; what it throws ends it
   * @throws Refusal `too-large`, or `invalid` on `file` when it is empty
   * @throws StorageUnavailable when it cannot be written
   */
  receive(id: string, content: Readable, maxBytes: number, came?: Came): Promise<Draft>;
  /** The same of content that we make ourselves, of a size that is not known: there is room for each piece when it is written. */
  make(id: string, content: Readable): Promise<Draft>;
  /** Deletes what is left of it, if anything. */
  remove(id: string): Promise<void>;
  /** Deletes what dead processes have left, from before `before`, ms since the epoch. Drafts that are still under way here stay. */
  removeLeft(before: number): Promise<void>;
}

const PIECE_BYTES = 262_144;

/** The files of an installation on its own disk: those being received in `receiving`, the stored ones next to it. */
export function filesFolder(dataDir: string): string {
  return join(dataDir, "files");
}

/** Drafts below DATA_DIR: when the file storage is a folder there too, a rename stores the file. */
export function createDrafts(dataDir: string): Drafts {
  const folder = join(filesFolder(dataDir), "receiving");
  const pathOf = (id: string) => join(folder, id);
  const underWay = new Set<string>();
  const remove = (id: string) => {
    // Also of one that can't be removed now: the clean-up tries again.
    underWay.delete(id);
    return rm(pathOf(id), { force: true });
  };
  const write = async (id: string, room: number, ...content: [Readable, number, Came?]) => {
    underWay.add(id);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await requireRoom(folder, room);
      return await written(pathOf(id), ...content);
    } catch (error) {
      await remove(id).catch(() => {});
      throw asOutage(error);
    }
  };

  return {
    remove,
    receive: (id, content, maxBytes, came) => write(id, maxBytes, content, maxBytes, came),
    make: (id, content) => write(id, 0, content, Number.POSITIVE_INFINITY, (bytes) => requireRoom(folder, bytes)),

    async removeLeft(before) {
      for (const id of await readdir(folder).catch(() => [])) {
        // Its time is the disk's, which the clock can be far ahead of.
        if (underWay.has(id)) continue;
        const found = await stat(pathOf(id)).catch(() => undefined);
        if (found && found.mtimeMs < before) await remove(id);
      }
    },
  };
}

async function requireRoom(folder: string, bytes: number): Promise<void> {
  if (!(await fitsOnDisk(folder, bytes))) throw new StorageUnavailable("The disk has no room for files.");
}

async function written(path: string, content: Readable, maxBytes: number, came?: Came): Promise<Draft> {
  const watcher = watchContent();
  const hash = createHash("sha256");
  const handle = await open(path, "wx", 0o600);
  let size = 0;
  try {
    for await (const bytes of piecesOf(content)) {
      size += bytes.byteLength;
      if (size > maxBytes) throw fileTooLarge(maxBytes);
      await came?.(bytes.byteLength);
      watcher.see(bytes);
      hash.update(bytes);
      await handle.writeFile(bytes);
    }
    if (size === 0) throw fileEmpty();
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { path, size, sha256: hash.digest("hex"), mime: await watcher.mime() };
}

/** What is in memory comes in one chunk: in pieces, so that the event loop does not wait for the whole of it. */
async function* piecesOf(content: Readable): AsyncGenerator<Uint8Array> {
  // The request of a refused file is not destroyed: its sender must be able to read the reason.
  for await (const chunk of content.iterator({ destroyOnReturn: false })) {
    const bytes = chunk as Uint8Array;
    for (let from = 0; from < bytes.byteLength; from += PIECE_BYTES) yield bytes.subarray(from, from + PIECE_BYTES);
  }
}

const DISK_PROBLEMS = new Set(["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "EIO", "EMFILE", "ENFILE", "ENOTDIR"]);

/** A full or read-only disk is an outage; other errors are rethrown. */
export function asOutage(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  return code !== undefined && DISK_PROBLEMS.has(code)
    ? new StorageUnavailable(`The disk does not take or give files: ${message}`, { cause: error })
    : error;
}
