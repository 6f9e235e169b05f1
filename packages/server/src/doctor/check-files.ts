import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Settings } from "../config.ts";
import { createDrafts, filesFolder } from "../files/drafts.ts";
import type { FileStorage } from "../files/file-storage.ts";
import { type S3Settings, s3Files } from "../files/s3-files.ts";
import type { Check } from "./check.ts";

const NAME = "files";
const PROBE = "frontdesk doctor was here";

/** The file storage: a small file can be stored and removed. */
export async function checkFiles({ dataDir, s3 }: Pick<Settings, "dataDir" | "s3">): Promise<Check> {
  return s3 ? checkBucket(s3) : checkFolder(dataDir);
}

/** Whether the bucket keeps files that were erased. */
export async function checkFileVersions(s3: S3Settings): Promise<Check> {
  const name = "file versions";
  const bucket = s3Files(s3);
  const make =
    "Add a lifecycle rule to the bucket that deletes noncurrent versions after some days, or turn versioning off and delete the old versions.";
  try {
    switch (await bucket.versioning()) {
      case "on":
        return { name, state: "warning", says: `${bucket.name} keeps old versions: erased files remain.`, do: make };
      case "suspended": {
        const says = `Versioning of ${bucket.name} is suspended: the versions it kept before remain, of erased files too.`;
        return { name, state: "warning", says, do: make };
      }
      default:
        return { name, state: "ok", says: `${bucket.name} keeps no old versions of erased files.` };
    }
  } catch (error) {
    const says = `It is unknown whether ${bucket.name} keeps old versions of erased files: ${(error as Error).message}`;
    return {
      name,
      state: "note",
      says,
      do: "Look it up where the bucket is managed. If it keeps versions, limit how long.",
    };
  }
}

async function checkFolder(dataDir: string): Promise<Check> {
  const folder = filesFolder(dataDir);
  if (!existsSync(folder))
    return { name: NAME, state: "note", says: `${folder} does not exist yet. The first file creates it.` };
  const drafts = createDrafts(dataDir);
  const id = randomUUID();
  try {
    await drafts.receive(id, Readable.from([Buffer.from(PROBE)]), PROBE.length);
    await drafts.remove(id);
    return { name: NAME, state: "ok", says: `${folder} is writable.` };
  } catch (error) {
    const make = `Free up space, or make the user that runs Frontdesk the owner of the folder: chown -R USER ${folder}`;
    return { name: NAME, state: "problem", says: (error as Error).message, do: make };
  }
}

async function checkBucket(s3: S3Settings): Promise<Check> {
  const fileStorage = s3Files(s3);
  const folder = await mkdtemp(join(tmpdir(), "frontdesk-doctor-"));
  try {
    const returned = await throughAndBack(fileStorage, folder);
    if (returned === PROBE) return { name: NAME, state: "ok", says: `${fileStorage.name} stores and returns files.` };
    return { name: NAME, state: "problem", says: `${fileStorage.name} returns a different file than was stored.` };
  } catch (error) {
    const make =
      "Check S3_ENDPOINT, S3_REGION, S3_BUCKET and the keys, which need permission to put, get and delete objects.";
    return { name: NAME, state: "problem", says: (error as Error).message, do: make };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function throughAndBack(fileStorage: FileStorage, folder: string): Promise<string | undefined> {
  const key = { teamId: "doctor", id: randomUUID() };
  await fileStorage.put(
    key,
    await createDrafts(folder).receive(key.id, Readable.from([Buffer.from(PROBE)]), PROBE.length),
  );
  const content = await fileStorage.read(key);
  const returned = content && (await text(content));
  await fileStorage.remove(key);
  return returned;
}
