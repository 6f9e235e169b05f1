/** Visitors send files, over real sockets (docs/decisions/0022-files.md). */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { newVisitorToken } from "@frontdesk/testing/browser-visitor";
import { fetchFile, uploadAs, veraWithFiles } from "@frontdesk/testing/file-sender";
import { block } from "@frontdesk/testing/insert-rows";
import { PATIENT } from "@frontdesk/testing/patient";
import { HTML_WITH_SCRIPT, PNG } from "@frontdesk/testing/sample-files";
import { dump, overTheWire, query } from "@frontdesk/testing/second-app";
import { OWN_PAGE, signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { filesFolder } from "../../files/drafts.ts";
import { MB } from "../../files/file.ts";

const { app, storage, team, dataDir } = await startTestApp({ TRUST_PROXY: "loopback" });
const base = await app.start();

// The limiter's monotonic clock is stopped, and each test begins in an hour of its own.
vi.useFakeTimers({ toFake: ["performance"] });
const minutes = (count: number) => vi.advanceTimersByTime(count * 60_000);
beforeEach(() => void minutes(60));
afterAll(() => void vi.useRealTimers());

const rowsOf = (teamId: string) => query(storage, `SELECT * FROM files WHERE team_id = '${teamId}' ORDER BY id`);
const draftsLeft = () => readdirSync(join(filesFolder(dataDir), "receiving"));

test("a file is answered with its address, its clean name, its type by content and its size, before anybody has written", async () => {
  const acme = await team();
  const vera = veraWithFiles(base, acme);
  const { status, body, headers } = await vera.upload("../My photo\u202e.png", PNG, { "content-type": "text/html" });
  expect({ status, cache: headers["cache-control"] }).toEqual({ status: 201, cache: "no-store" });
  expect(body.file).toEqual({
    url: expect.stringMatching(/^https:\/\/chat\.test\/files\/fd_file_[0-9A-Za-z]{71}\/My%20photo\.png$/),
    name: "My photo.png",
    mime: "image/png",
    size: PNG.byteLength,
  });
  expect(await rowsOf(acme.teamId)).toMatchObject([{ state: "stored", used_at: null, name: "My photo.png" }]);
  expect((await fetchFile(base, body.file.url)).status).toBe(200);
  expect(draftsLeft()).toEqual([]);
});

test("the secret of an address is nowhere in the database", async () => {
  const acme = await team();
  const { url } = await veraWithFiles(base, acme).sends("a.txt", "hello");
  expect(await dump(storage)).not.toContain(url.split("/")[4]);
});

test.each(["application/json", "multipart/form-data", "nonsense", "text/plain; charset=utf-16", ""])(
  "the browser may call a file %j: what it is, its content says",
  async (type) => {
    const vera = veraWithFiles(base, await team());
    const { status, body } = await vera.upload("page.json", HTML_WITH_SCRIPT, { "content-type": type });
    expect({ status, mime: body.file?.mime }).toEqual({ status: 201, mime: "text/plain" });
  },
);

test.each([
  ["with a length", { "content-length": "0" }],
  ["in pieces", { "transfer-encoding": "chunked" }],
  ["without a body", {}],
])("an empty file is refused, %s", async (_how, headers) => {
  const acme = await team();
  const path = `/visitor/${acme.widgetId}/files?name=empty.txt`;
  const token = { authorization: `Bearer ${newVisitorToken()}` };
  const answer = await overTheWire(base, { method: "POST", path, headers: { ...token, ...headers } });
  expect(answer).toMatchObject({ status: 422, body: { errors: { file: ["The file is empty."] } } });
  expect(await rowsOf(acme.teamId)).toEqual([]);
});

test.each(["", "?name=", `?name=${"a".repeat(256)}`, "?name=a&name=b"])(
  "a file needs one name of at most 255 characters: %j does not do",
  async (search) => {
    const acme = await team();
    const headers = { authorization: `Bearer ${newVisitorToken()}`, "content-length": "1" };
    const path = `/visitor/${acme.widgetId}/files${search}`;
    const answer = await overTheWire(base, { method: "POST", path, headers, body: "x" });
    expect(answer).toMatchObject({ status: 422, body: { errors: { name: [expect.any(String)] } } });
  },
);

test("a file that says it is too large is refused before it is read, one that turns out to be as soon as it does", async () => {
  const acme = await team();
  const said = await veraWithFiles(base, acme).upload("big", Buffer.alloc(25 * MB + 1));
  const found = await inPieces(acme.widgetId, 26);
  minutes(1);
  for (const answer of [said, found]) {
    expect(answer).toMatchObject({ status: 413, body: { message: expect.stringContaining("up to 25 MB") } });
  }
  expect(await rowsOf(acme.teamId)).toEqual([]);
  expect(draftsLeft()).toEqual([]);
  expect((await inPieces(acme.widgetId, 25)).status).toBe(201);
});

test("without a token, with a wrong one, and at a widget that is not there, nothing is taken", async () => {
  const acme = await team();
  const send = (widget: string, headers: Record<string, string>) =>
    overTheWire(base, {
      method: "POST",
      path: `/visitor/${widget}/files?name=a`,
      headers: { ...headers, "content-length": "1" },
      body: "x",
    });
  expect((await send(acme.widgetId, {})).status).toBe(401);
  expect((await send(acme.widgetId, { authorization: "Bearer fd_visitor_short" })).status).toBe(401);
  expect((await send(acme.teamId, { authorization: `Bearer ${newVisitorToken()}` })).status).toBe(404);
  expect(await rowsOf(acme.teamId)).toEqual([]);
});

test("a blocked visitor sends no files", async () => {
  const acme = await team();
  const vera = veraWithFiles(base, acme);
  const { body } = await vera.write([], { content: "Hello" });
  await block(storage, acme, body.contact.id);
  expect(await vera.upload("a.txt", "x")).toMatchObject({ status: 403 });
});

test("20 files of a visitor may wait for a message, and a message makes room", async () => {
  const acme = await team();
  const vera = veraWithFiles(base, acme);
  const files = [];
  for (let count = 0; count < 20; count += 1) files.push(await vera.sends(`${count}.txt`, `${count}`));
  expect(await vera.upload("one more", "x")).toMatchObject({
    status: 422,
    body: { errors: { file: [expect.stringContaining("send a message")] } },
  });
  expect((await veraWithFiles(base, acme).upload("of another visitor", "x")).status).toBe(201);
  expect((await vera.write(files.slice(0, 9))).status).toBe(201);
  expect((await vera.upload("one more", "x")).status).toBe(201);
});

test("100 MB of a visitor may wait for a message", async () => {
  const acme = await team();
  const vera = veraWithFiles(base, acme);
  for (let count = 0; count < 4; count += 1) {
    await vera.sends(`${count}`, Buffer.alloc(25 * MB, 1));
    minutes(1);
  }
  expect(await vera.upload("one byte more", "x")).toMatchObject({
    status: 422,
    body: { errors: { file: [expect.any(String)] } },
  });
});

test("31 files of a visitor in a minute are one too many, and 121 of an address", async () => {
  const acme = await team();
  const vera = veraWithFiles(base, acme);
  await vera.write([], { content: "Hello" });
  const statuses = [];
  for (let count = 0; count < 31; count += 1) statuses.push((await vera.upload("a", "")).status);
  expect(statuses).toEqual([...Array(30).fill(422), 429]);
  for (let count = 0; count < 91; count += 1) statuses.push((await veraWithFiles(base, acme).upload("a", "")).status);
  expect(statuses.slice(31)).toEqual([...Array(90).fill(422), 429]);
});

test("an address sends 25 MB of files a minute, counted as they come; another one is not touched", async () => {
  const acme = await team();
  const send = (bytes: number, address: string) =>
    veraWithFiles(base, acme).upload("a", Buffer.alloc(bytes, 1), { "x-forwarded-for": address });
  for (let count = 0; count < 4; count += 1) expect((await send(6 * MB, "203.0.113.1")).status).toBe(201);
  // One that does not fit is refused before it is sent.
  const refused = await send(6 * MB, "203.0.113.1");
  expect(refused).toMatchObject({ status: 429, headers: { "retry-after": "60" } });
  expect((await send(MB, "203.0.113.1")).status).toBe(201);
  expect((await send(1, "203.0.113.1")).status).toBe(429);
  expect((await send(6 * MB, "203.0.113.2")).status).toBe(201);
  // One that does not say how large it is ends where there is no more room.
  const unsaid = await inPieces(acme.widgetId, 7, "203.0.113.2");
  expect(unsaid.status).toBe(201);
  expect((await inPieces(acme.widgetId, 13, "203.0.113.2")).status).toBe(429);
  expect((await rowsOf(acme.teamId)).map(({ state }) => state)).toEqual(Array(7).fill("stored"));
  expect(draftsLeft()).toEqual([]);
});

test("30 files of an address may be on their way; agents and other addresses send meanwhile, and a closed request makes room", async () => {
  const acme = await team();
  const slow = Array.from({ length: 30 }, () => slowUpload(acme.widgetId, "203.0.113.3"));
  onTestFinished(() => {
    for (const sending of slow) sending.destroy();
  });
  await vi.waitUntil(async () => (await rowsOf(acme.teamId)).length === 30, PATIENT);
  const send = (address: string) =>
    veraWithFiles(base, acme)
      .upload("a", "x", { "x-forwarded-for": address })
      .then(({ status }) => status);
  expect(await send("203.0.113.3")).toBe(429);
  expect(await send("203.0.113.4")).toBe(201);
  expect((await uploadAs(base, acme, "a", "x")).status).toBe(201);
  // Announced bytes that are not received are not counted: 30 times 5 MB would exceed a minute's bound.
  slow[0]?.destroy();
  await vi.waitUntil(async () => (await send("203.0.113.3")) === 201, PATIENT);
});

test("visitors' files use up no room of agents and programs, nor theirs that of visitors, and announced ones none at all", async () => {
  const acme = await team();
  const upload = async () => ({
    visitor: (await veraWithFiles(base, acme).upload("a", "x")).status,
    program: (await uploadAs(base, acme, "a", "x")).status,
  });
  const fill = (state: string, sentBy: string) => {
    const id = randomUUID();
    const values = [acme.teamId, id, id, "a", "text/plain", 10_000 * MB, state, sentBy, 0];
    const listed = values.map((value) => `'${value}'`).join(", ");
    return query(
      storage,
      `INSERT INTO files (team_id, id, token_hash, name, mime, size, state, sent_by, created_at) VALUES (${listed})`,
    );
  };
  await fill("receiving", "visitor:one");
  await fill("receiving", "key:one");
  expect(await upload()).toEqual({ visitor: 201, program: 201 });
  await fill("stored", "visitor:two");
  expect(await upload()).toEqual({ visitor: 503, program: 201 });
  await query(storage, "DELETE FROM files WHERE sent_by LIKE 'visitor:%'");
  await fill("stored", "key:two");
  expect(await upload()).toEqual({ visitor: 201, program: 503 });
});

test("a line that breaks leaves nothing that anybody could see", async () => {
  const acme = await team();
  const { hostname, port } = new URL(base);
  const sending = request({
    hostname,
    port,
    method: "POST",
    path: `/visitor/${acme.widgetId}/files?name=cut.bin`,
    headers: { authorization: `Bearer ${newVisitorToken()}`, "content-length": "1000000" },
  });
  sending.on("error", () => {});
  sending.write(Buffer.alloc(300_000, 1));
  await vi.waitUntil(async () => draftsLeft().length === 1, PATIENT);
  expect(await rowsOf(acme.teamId)).toMatchObject([{ state: "receiving" }]);
  sending.destroy();
  await vi.waitUntil(async () => (await rowsOf(acme.teamId)).length === 0, PATIENT);
  expect(draftsLeft()).toEqual([]);
  expect(existsSync(join(filesFolder(dataDir), acme.teamId))).toBe(false);
});

test("a file that comes in slowly is no faster than its sender, and is whole", async () => {
  const acme = await team();
  async function* drops() {
    for (let count = 0; count < 40; count += 1) {
      yield Buffer.alloc(1_000, 65 + (count % 26));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const { status, body } = await sendStream(acme.widgetId, Readable.from(drops()));
  expect({ status, size: body.file?.size, mime: body.file?.mime }).toEqual({
    status: 201,
    size: 40_000,
    mime: "text/plain",
  });
});

test("programs send files with their key, each team its own; without the scope none", async () => {
  const [acme, readOnly] = [await team(), await team({ scopes: ["conversations:read"] })];
  const { status, body } = await uploadAs(base, acme, "price list.pdf", "%PDF-1.7\n");
  expect(status).toBe(201);
  expect(body.data).toEqual({
    type: "file",
    id: expect.any(String),
    attributes: {
      url: expect.stringMatching(/^https:\/\/chat\.test\/files\/fd_file_\w+\/price%20list\.pdf$/),
      name: "price list.pdf",
      mime: "application/pdf",
      size: 9,
    },
  });
  expect((await uploadAs(base, readOnly, "a", "x")).status).toBe(403);
  expect((await uploadAs(base, { apiKey: "fd_key_none" }, "a", "x")).status).toBe(401);
  expect((await uploadAs(base, acme, "a", "")).body).toMatchObject({ errors: { file: ["The file is empty."] } });
});

test("a signed-in agent sends files from our own pages, for the messages that they write themselves", async () => {
  const acme = await team();
  const mia = await signedIn({ app }, acme);
  const headers = { cookie: mia.cookie, "content-length": "5" };
  const send = (more: Record<string, string>) =>
    overTheWire(base, {
      method: "POST",
      path: "/app/api/v1/files?name=a.txt",
      headers: { ...headers, ...more },
      body: "hello",
    });
  expect((await send(OWN_PAGE)).status).toBe(201);
  expect((await send({ "sec-fetch-site": "cross-site" })).status).toBe(403);
  expect(await rowsOf(acme.teamId)).toMatchObject([{ sent_by: `agent:${mia.actor.agentId}`, state: "stored" }]);
});

test("a refused body is read to its end, so that its sender hears why, up to 25 MB a minute of an address; then the line is cut", async () => {
  const acme = await team();
  const { hostname, port } = new URL(base);
  /** Announces 20 MB, begins, and answers whether the line stays open after the answer. */
  const refusedUpload = async (address: string) => {
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    const lines = [`POST /visitor/${acme.widgetId}/files?name=a HTTP/1.1`, "Host: a", "Authorization: Bearer none"];
    lines.push(`X-Forwarded-For: ${address}`, `Content-Length: ${20 * MB}`, "", "begun");
    const answered = once(socket, "data");
    socket.write(lines.join("\r\n"));
    const [data] = await answered;
    return /^HTTP\/1\.1 401 [\s\S]*\r\nconnection: (\S+)/i.exec(String(data))?.[1];
  };
  expect(await refusedUpload("203.0.113.5")).toBe("keep-alive");
  expect(await refusedUpload("203.0.113.5")).toBe("close");
  expect(await refusedUpload("203.0.113.6")).toBe("keep-alive");
});

/** This number of megabytes, without a Content-Length. */
function inPieces(widgetId: string, megabytes: number, address?: string) {
  return sendStream(widgetId, Readable.from(Array.from({ length: megabytes }, () => Buffer.alloc(MB, 1))), address);
}

/** Announces 5 MB and sends a few bytes. */
function slowUpload(widgetId: string, address: string) {
  const { hostname, port } = new URL(base);
  const sending = request({
    hostname,
    port,
    agent: false,
    method: "POST",
    path: `/visitor/${widgetId}/files?name=slow`,
    headers: {
      authorization: `Bearer ${newVisitorToken()}`,
      "content-length": String(5 * MB),
      "x-forwarded-for": address,
    },
  });
  sending.on("error", () => {});
  sending.write("slow");
  return sending;
}

async function sendStream(widgetId: string, content: Readable, address = "203.0.113.99") {
  const { hostname, port } = new URL(base);
  const sending = request({
    hostname,
    port,
    method: "POST",
    path: `/visitor/${widgetId}/files?name=streamed`,
    headers: {
      authorization: `Bearer ${newVisitorToken()}`,
      "transfer-encoding": "chunked",
      "x-forwarded-for": address,
    },
  });
  const answered = once(sending, "response");
  await pipeline(content, sending).catch(() => {});
  const [response] = await answered;
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode as number, body: JSON.parse(Buffer.concat(chunks).toString()) };
}
