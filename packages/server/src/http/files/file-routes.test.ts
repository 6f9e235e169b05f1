/** Files are served to anyone who has their address, and never executed (docs/decisions/0022-files.md). */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fetchFile, type SentFile, uploadAs, veraWithFiles } from "@frontdesk/testing/file-sender";
import { HTML_WITH_SCRIPT, PDF, PNG, SVG_WITH_SCRIPT } from "@frontdesk/testing/sample-files";
import { appOn, overTheWire } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { beforeAll, describe, expect, test } from "vitest";
import { newToken } from "../../access/token.ts";
import { filesFolder } from "../../files/drafts.ts";

const { app, storage, runtime, team, dataDir } = await startTestApp();
const base = await app.start();
const TEXT = "0123456789".repeat(10);

let acme: TestTeam;
let text: SentFile;
beforeAll(async () => {
  acme = await team();
  text = await veraWithFiles(base, acme).sends("Größe.txt", TEXT);
});

test("a file is served whole, for good, and for its reader alone", async () => {
  const { status, headers, text: content } = await fetchFile(base, text.url);
  expect({ status, content }).toEqual({ status: 200, content: TEXT });
  expect(headers).toMatchObject({
    "content-type": "text/plain; charset=utf-8",
    "content-length": "100",
    "content-disposition": `attachment; filename="Gro_e.txt"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.txt`,
    "cache-control": "private, max-age=31536000, immutable",
    "accept-ranges": "bytes",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "cross-origin",
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex",
  });
});

test.each([
  ["photo.png", PNG, "image/png", "inline"],
  ["film.png.html", PNG, "image/png", "inline"],
  ["paper.pdf", PDF, "application/pdf", "attachment"],
  ["logo.svg", SVG_WITH_SCRIPT, "text/plain; charset=utf-8", "attachment"],
  ["page.html", HTML_WITH_SCRIPT, "text/plain; charset=utf-8", "attachment"],
  ["photo.png", HTML_WITH_SCRIPT, "text/plain; charset=utf-8", "attachment"],
  ["feed.xml", Buffer.from("<?xml version='1.0'?><a/>"), "text/plain; charset=utf-8", "attachment"],
  [
    "archive.zip",
    Buffer.from("504b0506000000000000000000000000000000000000", "hex"),
    "application/octet-stream",
    "attachment",
  ],
  ["photo.jpg", Buffer.from([1, 2, 3, 0, 250]), "application/octet-stream", "attachment"],
])("%s is served by the type of its content, also in a frame", async (name, content, type, shown) => {
  const { url } = await veraWithFiles(base, acme).sends(name, content);
  const { headers } = await fetchFile(base, url);
  expect(headers["content-type"]).toBe(type);
  expect(headers["content-disposition"]?.split(";")[0]).toBe(shown);
  expect(headers["x-content-type-options"]).toBe("nosniff");
  expect(headers["content-security-policy"]).toBe("default-src 'none'; sandbox");
});

describe("a part of a file", () => {
  test.each([
    ["bytes=0-9", "bytes 0-9/100", "0123456789"],
    ["bytes=95-", "bytes 95-99/100", "56789"],
    ["bytes=-2", "bytes 98-99/100", "89"],
    ["bytes=99-1000", "bytes 99-99/100", "9"],
  ])("%s is answered alone", async (range, told, content) => {
    const answer = await fetchFile(base, text.url, { range });
    expect({ status: answer.status, content: answer.text }).toEqual({ status: 206, content });
    expect(answer.headers).toMatchObject({ "content-range": told, "content-length": String(content.length) });
  });

  test("that is not there is 416, and that answer is not cached", async () => {
    const { status, headers } = await fetchFile(base, text.url, { range: "bytes=100-" });
    expect({ status, range: headers["content-range"], cache: headers["cache-control"] }).toEqual({
      status: 416,
      range: "bytes */100",
      cache: "no-store",
    });
  });

  test.each(["bytes=0-1,5-6", "lines=1-2", "bytes=9-1"])("%s is as if the whole was asked for", async (range) => {
    expect(await fetchFile(base, text.url, { range })).toMatchObject({ status: 200, text: TEXT });
  });

  test("of another file than the one that its asker has is not mixed in", async () => {
    const { headers } = await fetchFile(base, text.url);
    const range = "bytes=0-1";
    expect((await fetchFile(base, text.url, { range, "if-range": '"another"' })).status).toBe(200);
    expect((await fetchFile(base, text.url, { range, "if-range": String(headers.etag) })).status).toBe(206);
  });
});

test("HEAD answers the same without the content, and a client that has the file gets 304", async () => {
  const got = await fetchFile(base, text.url);
  const head = await fetchFile(base, text.url, {}, "HEAD");
  expect(head).toMatchObject({ status: 200, text: "" });
  const same = (headers: Record<string, string | undefined>) => ({ ...headers, date: 0, "x-request-id": 0 });
  expect(same(head.headers)).toEqual(same(got.headers));
  const known = await fetchFile(base, text.url, { "if-none-match": String(got.headers.etag) });
  expect(known).toMatchObject({ status: 304, text: "" });
});

test("the name in an address is for people: the file is found by its secret", async () => {
  const [, , , , secret] = text.url.split("/");
  for (const name of ["x", "..%2f..%2fetc%2fpasswd", "a.html"]) {
    const { status, headers } = await overTheWire(base, { path: `/files/${secret}/${name}` });
    expect({ status, name: headers["content-disposition"]?.includes("Gro_e.txt") }).toEqual({
      status: 200,
      name: true,
    });
  }
});

test("every wrong address has the same answer, which is not kept", async () => {
  const secret = String(text.url.split("/")[4]);
  const unknown = newToken("file", acme.teamId, runtime.random);
  const otherTeams = newToken("file", (await team()).teamId, runtime.random);
  const wrong = [unknown, otherTeams, `${secret}a`, secret.slice(0, -1), secret.toUpperCase(), "x", acme.apiKey, "%00"];
  for (const token of wrong) {
    const { status, body, headers } = await overTheWire(base, { path: `/files/${token}/a.txt` });
    expect({ token, status, body }).toEqual({
      token,
      status: 404,
      body: { message: "There is nothing at this address." },
    });
    expect(headers["cache-control"]).toBe("no-store");
  }
  for (const path of ["/files", "/files/", `/files/${secret}`]) {
    expect((await overTheWire(base, { path })).status).toBe(404);
  }
});

test("an address that another program sent is as good, and stays so in another process", async () => {
  const { body } = await uploadAs(base, acme, "a.png", PNG);
  const again = await (await appOn({ storage, runtime, env: { DATA_DIR: dataDir } })).start();
  expect(await fetchFile(again, body.data.attributes.url)).toMatchObject({
    status: 200,
    headers: { "content-length": String(PNG.byteLength) },
  });
});

test("a file whose content was lost is as one that is not there", async () => {
  const other = await team();
  const { url } = await veraWithFiles(base, other).sends("a.txt", "hello");
  rmSync(join(filesFolder(dataDir), other.teamId), { recursive: true });
  const { status, headers } = await fetchFile(base, url);
  expect(status).toBe(404);
  expect(headers.etag).toBeUndefined();
});
