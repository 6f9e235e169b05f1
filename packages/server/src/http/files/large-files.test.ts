/** Files are never held in memory: they are streamed as fast as the slower side (docs/decisions/0022-files.md). */
import { once } from "node:events";
import { existsSync, readdirSync, statSync } from "node:fs";
import { get, type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import { join } from "node:path";
import { newVisitorToken } from "@frontdesk/testing/browser-visitor";
import { PATIENT } from "@frontdesk/testing/patient";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test, vi } from "vitest";
import { filesFolder } from "../../files/drafts.ts";
import { MB } from "../../files/file.ts";

const { app, team, dataDir } = await startTestApp();
const base = await app.start();
const receiving = join(filesFolder(dataDir), "receiving");
/** More than sockets, streams and the kernel keep on the way. */
const ON_THE_WAY = 8 * MB;

test("24 MB are on the disk as far as they have come, and go out no faster than they are read", async () => {
  const acme = await team();
  const { hostname, port } = new URL(base);
  const headers = { authorization: `Bearer ${newVisitorToken()}`, "content-length": String(24 * MB) };
  const path = `/visitor/${acme.widgetId}/files?name=large.bin`;
  const sending = request({ hostname, port, method: "POST", path, headers });
  const answered = once(sending, "response");
  const half = Buffer.alloc(12 * MB, 7);
  sending.write(half);
  await vi.waitUntil(() => sizeOnDisk() === 12 * MB, PATIENT);
  sending.end(half);
  const [answer] = (await answered) as [IncomingMessage];
  const { file } = JSON.parse(String(Buffer.concat(await answer.toArray())));
  expect(file.size).toBe(24 * MB);

  const served = new Promise<Socket>((resolve) => app.http.server.once("connection", resolve));
  const [download] = (await once(get(`${base}${new URL(file.url).pathname}`, { agent: false }), "response")) as [
    IncomingMessage,
  ];
  const { bytesWritten } = await standingStill(await served);
  expect(bytesWritten).toBeLessThan(24 * MB - ON_THE_WAY);
  let size = 0;
  for await (const chunk of download) size += (chunk as Buffer).byteLength;
  expect(size).toBe(24 * MB);
});

function sizeOnDisk(): number {
  const [draft] = existsSync(receiving) ? readdirSync(receiving) : [];
  return draft === undefined ? 0 : statSync(join(receiving, draft)).size;
}

/** The socket, once it has data to send that the client does not read. */
async function standingStill(socket: Socket): Promise<Socket> {
  let before = -1;
  await vi.waitUntil(
    () => {
      const still = socket.bytesWritten > 0 && socket.bytesWritten === before && socket.writableNeedDrain;
      before = socket.bytesWritten;
      return still;
    },
    { ...PATIENT, interval: 50 },
  );
  return socket;
}
