/**
 * A file from upload to download when files are stored in a bucket, and what happens when the bucket is away
 * (docs/decisions/0022-files.md).
 */
import { readdirSync } from "node:fs";
import { fetchFile, veraWithFiles } from "@frontdesk/testing/file-sender";
import { startS3 } from "@frontdesk/testing/s3-server";
import { PNG } from "@frontdesk/testing/sample-files";
import { appOn, query } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { afterAll, expect, test } from "vitest";
import { filesFolder } from "../../files/drafts.ts";

const bucket = await startS3();
afterAll(() => bucket.remove());
const { app, storage, runtime, team, dataDir } = await startTestApp(bucket.env);
const base = await app.start();

const onDisk = () => readdirSync(filesFolder(dataDir), { recursive: true });
const rowsOf = (teamId: string) => query(storage, `SELECT * FROM files WHERE team_id = '${teamId}'`);

test("a file goes into the bucket and comes out of it, whole and in parts, and nothing of it stays on the disk", async () => {
  const acme = await team();
  const vera = veraWithFiles(base, acme);
  const photo = await vera.sends("photo.png", PNG);
  const [row] = await rowsOf(acme.teamId);
  expect(bucket.objects()).toEqual([`${acme.teamId}/${row?.id}`]);
  expect(onDisk()).toEqual(["receiving"]);

  const whole = await fetchFile(base, photo.url);
  expect(whole).toMatchObject({
    status: 200,
    headers: { "content-type": "image/png", "content-length": String(PNG.byteLength) },
  });
  const part = await fetchFile(base, photo.url, { range: "bytes=1-3" });
  expect({ status: part.status, text: part.text }).toEqual({ status: 206, text: "PNG" });
  expect((await vera.write([photo])).status).toBe(201);
});

test("while the bucket is away nothing is taken and nothing is lost, and when it is back all is as before", async () => {
  const acme = await team();
  const vera = veraWithFiles(base, acme);
  const before = await vera.sends("before.txt", "before");
  await bucket.kill();
  for (const answer of [await vera.upload("meanwhile.txt", "meanwhile"), await fetchFile(base, before.url)]) {
    expect(answer).toMatchObject({ status: 503, headers: { "retry-after": "2" } });
    expect(answer.text).not.toMatch(/127\.0\.0\.1|S3RVER|acme-files/);
    expect(answer.headers["cache-control"]).toBe("no-store");
  }
  expect((await rowsOf(acme.teamId)).filter(({ state }) => state === "stored")).toHaveLength(1);
  expect(onDisk()).toEqual(["receiving"]);

  await bucket.restart();
  expect((await vera.write([before])).status).toBe(201);
  expect(await fetchFile(base, before.url)).toMatchObject({ status: 200, text: "before" });
  expect((await vera.upload("after.txt", "after")).status).toBe(201);
});

test("with a wrong secret uploads are 503, and nothing of them is left but a row that the clean-up knows", async () => {
  const acme = await team();
  const env = { ...bucket.env, S3_SECRET_ACCESS_KEY: "wrong", DATA_DIR: dataDir };
  const wrong = await (await appOn({ storage, runtime, env })).start();
  const objects = bucket.objects();
  const answer = await veraWithFiles(wrong, acme).upload("a.txt", "a");
  expect({ status: answer.status, message: answer.body.message }).toEqual({
    status: 503,
    message: "The service cannot reach its storage. Please try again shortly.",
  });
  expect(bucket.objects()).toEqual(objects);
  expect(onDisk()).toEqual(["receiving"]);
  expect(await rowsOf(acme.teamId)).toMatchObject([{ state: "receiving" }]);
});
