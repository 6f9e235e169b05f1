/** Mails that become no message: they are found by their writer, and leave none of their files. */
import { query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { describe, expect, test } from "vitest";
import { createDrafts } from "../../files/drafts.ts";
import { openFileStorage } from "../../files/open-file-storage.ts";
import { createRemoval } from "../../files/remove-unused-files.ts";
import { mailRoom } from "../out/mailbox-for-tests.ts";
import { readMailHead } from "../parse/mail-head.ts";
import type { ParsedMail } from "../parse/parsed-mail.ts";
import { MAIL_MAX_BYTES } from "./mail-import.ts";

/** A file, and one that can't be stored. */
const FILES = [Buffer.from("small"), Buffer.alloc(MAIL_MAX_BYTES + 1)].map((content, n) => ({
  ...{ name: `${n}.txt`, mime: "text/plain", contentId: null, disposition: "attachment" as const, content },
}));

/** A mail that says so has a file, or its import fails after it was read. */
function withFiles(bytes: Uint8Array): ParsedMail {
  const raw = Buffer.from(bytes).toString();
  return {
    ...readMailHead(bytes),
    ...{ text: raw.slice(raw.indexOf("\r\n\r\n") + 4), html: null, textOfHtml: null, parts: [] },
    attachments: FILES.slice(0, raw.includes("TOO-LARGE") ? 2 : raw.includes("ONE-FILE") ? 1 : 0),
    contentType: { type: "text/plain", params: {} },
  };
}

const kit = await startTestApp(
  { CHANNEL_ALLOWED_NETWORKS: "127.0.0.1" },
  undefined,
  undefined,
  undefined,
  async (raw) => withFiles(raw),
);
const { app, storage, clock, dataDir } = kit;
await app.start();
const { mailbox } = mailRoom(kit);
const fileStorage = openFileStorage({ dataDir } as Parameters<typeof openFileStorage>[0]);

/** The newest mail of a team. */
async function newest({ teamId }: TestTeam) {
  const [row] = await query(
    storage,
    `SELECT * FROM mail_imports WHERE team_id = '${teamId}' ORDER BY raw_file IS NULL DESC, raw_file DESC`,
  );
  return row as Record<string, string | number | null>;
}
async function filesLeft({ teamId }: TestTeam) {
  await createRemoval({ storage, fileStorage, drafts: createDrafts(dataDir) })(clock.now(), () => true);
  return query(storage, `SELECT id FROM files WHERE team_id = '${teamId}' ORDER BY id`);
}
async function contactOf(conversation: string): Promise<string> {
  const [row] = await query(storage, `SELECT contact_id FROM conversations WHERE id = '${conversation}'`);
  return String(row?.contact_id);
}

test("a mail that waits is known by its writer, also where From is folded or a list has rewritten it", async () => {
  const acme = await kit.team();
  const box = await mailbox(acme);
  await acme.patch(`/channels/${box.id}`, { state: "paused" });
  const encoded = "=?utf-8?q?V=C3=A9ra_of_the_very_long_name?=\r\n =?utf-8?q?_and_more?=";
  for (const headers of [
    `From: ${encoded}\r\n\t<Vera@vera.example>`,
    'From: "Doe, <not@this.example>" <vera@vera.example>, will@will.example',
    "From: Friends <friends@list.example>\r\nList-Post: <mailto:friends@list.example>\r\nX-Original-From: vera@vera.example",
    `From: Vera via Support\r\n <${box.address}>\r\nReply-To: vera@vera.example`,
  ]) {
    await box.post(`${headers}\r\n\r\nHello`);
    expect((await newest(acme)).sender).toBe("vera@vera.example");
  }
});

test("a blocked sender's mail leaves none of its files", async () => {
  const acme = await kit.team();
  const box = await mailbox(acme);
  const contactId = await contactOf(await box.arrives());
  const before = await filesLeft(acme);
  await query(storage, `UPDATE contacts SET blocked_at = 1 WHERE id = '${contactId}'`);
  await box.post("From: vera@vera.example\r\n\r\nONE-FILE");
  await expect.poll(async () => (await newest(acme)).state).toBe("ignored");
  expect(await filesLeft(acme)).toEqual(before);
});

describe("a mail whose import fails after it was read", () => {
  test("leaves none of its files", async () => {
    const acme = await kit.team();
    const box = await mailbox(acme);
    await box.post("From: vera@vera.example\r\n\r\nTOO-LARGE");
    await expect.poll(async () => (await newest(acme)).attempts).toBe(1);
    const { state, error, raw_file } = await newest(acme);
    expect({ state, error }).toEqual({ state: "stored", error: expect.stringContaining("too large") });
    expect(await filesLeft(acme)).toEqual([{ id: raw_file }]);
  });

  test("is known by the writer whom an agent forwards, and goes with them", async () => {
    const acme = await kit.team();
    const box = await mailbox(acme, {}, { authserv_id: "mx.acme.example" });
    const contactId = await contactOf(await box.arrives());
    const head = `From: ${acme.ada.email}\r\nAuthentication-Results: mx.acme.example; dmarc=pass`;
    const forwarded = "From: Vera <vera@vera.example>\nDate: Mon, 1 Jun 2026\nSubject: Invoice\nTo: <ada@acme.example>";
    await box.post(`${head}\r\n\r\nTOO-LARGE\n---------- Forwarded message ---------\n${forwarded}\n\nHello`);
    await expect.poll(async () => (await newest(acme)).attempts).toBe(1);
    expect((await newest(acme)).sender).toBe("vera@vera.example");
    expect((await acme.delete(`/contacts/${contactId}`)).status).toBe(202);
    await expect.poll(async () => (await filesLeft(acme)).length).toBe(0);
    expect(
      await query(storage, `SELECT 1 FROM mail_imports WHERE team_id = '${acme.teamId}' AND sender IS NOT NULL`),
    ).toEqual([]);
  });
});
