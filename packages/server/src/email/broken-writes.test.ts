/** The database refuses a write, at each step of a mail in turn: nothing is half done, and once it works all is there once (reference B10, B35). */
import { breakWrites, type Write, writesOf } from "@frontdesk/testing/broken-writes";
import { inDepth } from "@frontdesk/testing/depth";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { pino } from "pino";
import { expect, test } from "vitest";
import { columnsOf } from "../storage/columns.ts";
import { mailRoom, nextNumber } from "./out/mailbox-for-tests.ts";

let troubles = 0;
const log = {
  write() {
    troubles += 1;
  },
};
const logger = pino({ level: "warn" }, log);
const kit = await startTestApp({ CHANNEL_ALLOWED_NETWORKS: "127.0.0.1" }, undefined, undefined, logger);
const { app, storage, team, clock } = kit;
await app.start();
const { mailbox, reply, deliveryOf, isIn } = mailRoom(kit);
const MINUTE_MS = 60_000;
const TABLES = Object.keys(columnsOf).filter((table) => !["installation", "schema_migrations"].includes(table));

/** All steps, or some of them that are far from each other. */
const chosen = (steps: Write[]): Write[] => steps.filter((_, index) => index % inDepth(6, 1) === 0);

const count = async (from: string) => Number((await query(storage, `SELECT count(*) AS n FROM ${from}`))[0]?.n);

test("a reply whose write is refused at any step is not there, or leaves once, as it was composed", async () => {
  const acme = await team();
  const box = await mailbox(acme);
  const id = await box.arrives();
  const ofTeam = `WHERE team_id = '${acme.teamId}'`;
  const stored = () =>
    Promise.all(
      ["messages", "mails", "mail_recipients", "mail_tokens", "outbox_items", "events"].map((table) =>
        count(`${table} ${ofTeam}`),
      ),
    );
  const isAtRest = () =>
    expect.poll(() => count(`outbox_queues ${ofTeam} AND (owner_id IS NOT NULL OR due_at IS NOT NULL)`)).toBe(0);
  const steps = await writesOf(storage, TABLES, async () => {
    expect((await reply(acme, id)).status).toBe(201);
    await isIn(acme, id, "sent");
    await isAtRest();
  });
  expect(steps).toEqual(expect.arrayContaining(["INSERT messages", "INSERT mails", "UPDATE mail_recipients"]));

  for (const step of chosen(steps)) {
    const content = `Reply ${nextNumber()}.`;
    const before = await stored();
    troubles = 0;
    const mend = await breakWrites(storage, step);
    const { status } = await reply(acme, id, { content });
    if (status === 201) {
      const isNoticed = async () => troubles > 0 || (await deliveryOf(acme, id))?.state === "sent";
      await expect.poll(isNoticed, { message: step }).toBe(true);
    } else {
      expect(status, step).toBeGreaterThanOrEqual(500);
      expect(await stored(), step).toEqual(before);
    }
    await mend();
    if (status !== 201) expect((await reply(acme, id, { content })).status, step).toBe(201);
    await expect
      .poll(
        async () => {
          clock.advance(MINUTE_MS);
          return (await deliveryOf(acme, id))?.state;
        },
        { message: step },
      )
      .toBe("sent");
    const mails = box.smtp.mails.filter(({ raw }) => raw.includes(content));
    expect(mails, step).toHaveLength(1);
    const sent = (await acme.events()).filter(
      ({ name, data }) => name === "message.sent" && JSON.stringify(data).includes(content),
    );
    expect(sent, step).toHaveLength(1);
    expect(await count(`messages ${ofTeam} AND content = '${content}'`), step).toBe(1);
    await isAtRest();
  }
});

/** With two files; each of a sender of its own. */
function mailWithFiles(): { text: string; files: string[]; raw: string } {
  const n = nextNumber();
  const part = (headers: string, content: string) => `--b\r\n${headers}\r\n\r\n${content}\r\n`;
  const file = (name: string) => `Content-Type: text/csv\r\nContent-Disposition: attachment; filename=${name}`;
  const text = `Text ${n}`;
  const files = [`a${n}.csv`, `b${n}.csv`];
  const parts = [part("Content-Type: text/plain", text), ...files.map((name) => part(file(name), "1,2"))];
  const head = `From: Vera <vera${n}@vera.example>\r\nSubject: Size ${n}?\r\nMessage-ID: <${n}@vera.example>\r\n`;
  return {
    text,
    files,
    raw: `${head}MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts.join("")}--b--\r\n`,
  };
}

test("a mail whose write is refused at any step is refused to its sender, or comes in once, with its files", async () => {
  const acme = await team();
  const box = await mailbox(acme);
  const other = await mailbox(acme);
  const ofAccount = `WHERE account_id = '${box.id}'`;
  const door = new URL((await acme.get(`/channels/${box.id}`)).body.data.attributes.callback_url).pathname;
  const post = async (raw: string) => {
    const headers = { "content-type": "message/rfc822" };
    return (await app.http.inject({ method: "POST", url: door, headers, payload: raw })).statusCode;
  };
  const stored = () =>
    Promise.all(["mail_imports", "conversations", "mails"].map((table) => count(`${table} ${ofAccount}`)));
  const isIn = async (text: string) => (await count(`messages WHERE content = '${text}'`)) > 0;
  const first = mailWithFiles();
  const steps = await writesOf(storage, TABLES, async () => {
    expect(await post(first.raw)).toBe(200);
    await expect.poll(() => isIn(first.text)).toBe(true);
    await expect.poll(() => count("jobs WHERE state <> 'done'")).toBe(0);
  });
  expect(steps).toEqual(expect.arrayContaining(["INSERT mail_imports", "INSERT conversations", "INSERT attachments"]));

  for (const step of chosen(steps)) {
    const { text, files, raw } = mailWithFiles();
    const before = await stored();
    troubles = 0;
    const mend = await breakWrites(storage, step);
    const status = await post(raw);
    if (status === 200) await expect.poll(async () => troubles > 0 || (await isIn(text)), { message: step }).toBe(true);
    else {
      expect(status, step).toBeGreaterThanOrEqual(500);
      expect(await stored(), step).toEqual(before);
    }
    await mend();
    if (status !== 200) expect(await post(raw), step).toBe(200);
    await expect.poll(() => isInAfterNudge(text), { message: step }).toBe(true);
    expect(await count(`messages WHERE content = '${text}'`), step).toBe(1);
    expect(await stored(), step).toEqual(before.map((n) => n + 1));
    const received = (await acme.events()).filter(
      ({ name, data }) => name === "message.received" && JSON.stringify(data).includes(`"${text}"`),
    );
    expect(received, step).toHaveLength(1);
    expect(await count(`attachments WHERE name IN (${files.map((name) => `'${name}'`).join()})`), step).toBe(2);
    expect(await count(`mail_imports ${ofAccount} AND state <> 'imported'`), step).toBe(0);
  }

  /** What waits for another attempt is due; a commit with a job of the team has its other jobs looked at. */
  async function isInAfterNudge(text: string): Promise<boolean> {
    if (await isIn(text)) return true;
    if ((await count("jobs WHERE state = 'running'")) > 0) return false;
    clock.advance(2 * MINUTE_MS);
    await other.post(mailWithFiles().raw);
    return false;
  }
});
