/** docs/decisions/0022-files.md: what both file storages have in common, and what is specific to each. */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { freePort } from "@frontdesk/testing/free-port";
import { startS3 } from "@frontdesk/testing/s3-server";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { readSettings } from "../config.ts";
import { StorageUnavailable } from "../storage/database.ts";
import { createDrafts, type Draft, filesFolder } from "./drafts.ts";
import { openFileStorage } from "./open-file-storage.ts";

const MAX = 1_000_000;
const folder = mkdtempSync(join(tmpdir(), "frontdesk-test-files-"));
const bucket = await startS3();
afterAll(async () => {
  await bucket.remove();
  rmSync(folder, { recursive: true, force: true });
});

const nobody = await freePort();
const newKey = () => ({ teamId: randomUUID(), id: randomUUID() });
const onDisk = { DATA_DIR: join(folder, "disk") };
const inBucket = { DATA_DIR: join(folder, "beside the bucket"), ...bucket.env };
const storageOf = (env: Record<string, string>) => openFileStorage(readSettings(env));
const draftOf = (bytes: Buffer, env: Record<string, string>): Promise<Draft> =>
  createDrafts(String(env.DATA_DIR)).receive(randomUUID(), Readable.from([bytes]), MAX);

describe.each([
  ["a folder", onDisk],
  ["a bucket", inBucket],
])("%s", (_name, env) => {
  const fileStorage = storageOf(env);

  test("gives what it was given, whole and in parts, and its draft is gone", async () => {
    const key = newKey();
    const bytes = randomBytes(200_000);
    const draft = await draftOf(bytes, env);
    await fileStorage.put(key, draft);
    expect(existsSync(draft.path)).toBe(false);
    expect(await contentOf(fileStorage.read(key))).toEqual(bytes);
    expect(await contentOf(fileStorage.read(key, { first: 10, last: 10 }))).toEqual(bytes.subarray(10, 11));
    expect(await contentOf(fileStorage.read(key, { first: 199_990, last: 199_999 }))).toEqual(bytes.subarray(199_990));
  });

  test("takes the same file twice, and removes what is not there as well as what is", async () => {
    const key = newKey();
    for (const text of ["first", "second"]) await fileStorage.put(key, await draftOf(Buffer.from(text), env));
    expect(String(await contentOf(fileStorage.read(key)))).toBe("second");
    for (let time = 0; time < 2; time += 1) await fileStorage.remove(key);
    expect(await fileStorage.read(key)).toBeUndefined();
  });

  test("does not know a file of the same id in another team", async () => {
    const key = newKey();
    await fileStorage.put(key, await draftOf(Buffer.from("Acme's"), env));
    expect(await fileStorage.read({ ...newKey(), id: key.id })).toBeUndefined();
  });
});

describe("a folder", () => {
  test("is open to its owner alone, and holds nothing but whole files by team", async () => {
    const key = newKey();
    await storageOf(onDisk).put(key, await draftOf(Buffer.from("x"), onDisk));
    const path = join(filesFolder(onDisk.DATA_DIR), key.teamId, key.id);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, "..")).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(filesFolder(onDisk.DATA_DIR), "receiving"))).toEqual([]);
  });

  test("that cannot be written to is an outage, with its reason", async () => {
    const noFolder = join(folder, "no-folder");
    writeFileSync(noFolder, "");
    await expect(draftOf(Buffer.from("x"), { DATA_DIR: noFolder })).rejects.toThrow(/not a directory/);
    await expect(draftOf(Buffer.from("x"), { DATA_DIR: noFolder })).rejects.toThrow(StorageUnavailable);
  });
});

describe("a bucket", () => {
  test.each([
    ["a wrong secret", { S3_SECRET_ACCESS_KEY: "not-the-secret" }, "403 SignatureDoesNotMatch"],
    ["an unknown key", { S3_ACCESS_KEY_ID: "nobody" }, "403 InvalidAccessKeyId"],
    ["a bucket that is not there", { S3_BUCKET: "nobodys-files" }, "404 NoSuchBucket"],
    ["an address where no server answers", { S3_ENDPOINT: `http://127.0.0.1:${nobody}` }, "ECONNREFUSED"],
  ])("with %s is an outage that says why and no secret, and the draft is kept", async (_what, wrong, reason) => {
    const fileStorage = storageOf({ ...inBucket, ...wrong });
    const draft = await draftOf(Buffer.from("x"), inBucket);
    const key = newKey();
    for (const act of [() => fileStorage.put(key, draft), () => fileStorage.read(key)]) {
      const error = await act().then(
        () => undefined,
        (thrown: Error) => thrown,
      );
      expect(error).toBeInstanceOf(StorageUnavailable);
      expect(error?.message).toContain(reason);
      expect(error?.message).not.toMatch(/S3RVER|not-the-secret/);
    }
    expect(existsSync(draft.path)).toBe(true);
  });

  test("may be named in the host instead of the path", async () => {
    const fileStorage = storageOf({ ...inBucket, S3_ENDPOINT: "http://files.invalid", S3_FORCE_PATH_STYLE: "off" });
    await expect(fileStorage.read(newKey())).rejects.toThrow("acme-files.files.invalid");
  });

  test("holds its files by team", async () => {
    const key = newKey();
    await storageOf(inBucket).put(key, await draftOf(Buffer.from("x"), inBucket));
    expect(bucket.objects()).toContain(`${key.teamId}/${key.id}`);
  });

  test("whose line breaks is asked again, with the whole file", async () => {
    const line = await brokenLine(Number(new URL(String(bucket.env.S3_ENDPOINT)).port), 2);
    const fileStorage = storageOf({ ...inBucket, S3_ENDPOINT: line.url });
    const key = newKey();
    const bytes = randomBytes(300_000);
    await fileStorage.put(key, await draftOf(bytes, inBucket));
    expect(line.connections()).toBe(3);
    expect(await contentOf(fileStorage.read(key))).toEqual(bytes);
  });
});

/** A way to a port of this machine that breaks the first `breaks` connections in the middle of their first words. */
async function brokenLine(port: number, breaks: number) {
  let connections = 0;
  const line = createServer((socket) => {
    connections += 1;
    socket.on("error", () => {});
    if (connections <= breaks) return void socket.once("data", () => socket.destroy());
    const onward = connect(port, "127.0.0.1").on("error", () => socket.destroy());
    socket.pipe(onward).pipe(socket);
  });
  line.listen(0, "127.0.0.1");
  await once(line, "listening");
  onTestFinished(() => void line.close());
  return { url: `http://127.0.0.1:${(line.address() as AddressInfo).port}`, connections: () => connections };
}

async function contentOf(read: Promise<Readable | undefined>): Promise<Buffer> {
  const content = await read;
  if (!content) throw new Error("The file is not there.");
  return buffer(content);
}

test("a content that comes in one chunk is written in pieces, between which the process does other work", async () => {
  const id = randomUUID();
  const content = randomBytes(1_000_000);
  const pieces: number[] = [];
  const draft = await createDrafts(onDisk.DATA_DIR).receive(id, Readable.from([content]), MAX, async (bytes) => {
    pieces.push(bytes);
  });
  expect(Math.max(...pieces)).toBeLessThanOrEqual(262_144);
  expect(draft).toMatchObject({ size: 1_000_000, sha256: createHash("sha256").update(content).digest("hex") });
  expect(readFileSync(draft.path).equals(content)).toBe(true);
});
