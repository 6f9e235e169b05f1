/** A mailbox on a real Dovecot. What good servers never do: `imap-session.test.ts`. */
import { startCuttingProxy } from "@frontdesk/testing/cutting-proxy";
import { inDepth } from "@frontdesk/testing/depth";
import { type Dovecot, startDovecot } from "@frontdesk/testing/dovecot";
import { loopbackConnector, mailOf, readMailbox } from "@frontdesk/testing/read-mailbox";
import type { ImapFlow } from "imapflow";
import { afterAll, afterEach, expect, onTestFinished, test } from "vitest";
import { seeded } from "../../../test/attack/kill-while-writing.ts";
import type { FolderPosition } from "./folder-position.ts";
import { PIECE_MAILS } from "./pieces-of.ts";

const dovecot: Dovecot = await startDovecot();
let mailbox: ReturnType<typeof readMailbox> | undefined;
afterEach(() => mailbox?.stop());
afterAll(() => dovecot.stop());

let users = 0;
/** A mailbox of a user that nothing else uses, connected and read. */
async function connected(more: Parameters<typeof readMailbox>[0] extends infer T ? Partial<T> : never = {}) {
  users += 1;
  const user = `support${users}`;
  dovecot.deliver(user, mailOf("old"));
  // The server dates a mail by the second.
  const delivered = Math.floor(Date.now() / 1_000);
  await expect.poll(() => Math.floor(Date.now() / 1_000)).toBeGreaterThan(delivered);
  mailbox = readMailbox({ port: dovecot.port, username: user, ...more });
  mailbox.start();
  await expect.poll(() => mailbox?.position?.lastUid).toBe(1);
  return { user, mailbox };
}

/** Another mail program of the same user. */
async function colleague(username: string): Promise<ImapFlow> {
  const account = {
    teamId: "",
    accountId: "",
    host: "127.0.0.1",
    port: dovecot.port,
    security: "none",
    username,
  } as const;
  const box = {
    ...account,
    password: dovecot.password,
    folder: "INBOX",
    afterImport: "leave",
    sentFolder: true,
  } as const;
  const { client } = await loopbackConnector(box, new AbortController().signal);
  await client.connect();
  await client.mailboxOpen("INBOX");
  return client;
}

const numbered = (count: number, from = 1) => Array.from({ length: count }, (_, index) => `mail ${from + index}`);

test("a new mail is in within two seconds", async () => {
  const { user, mailbox } = await connected();
  dovecot.deliver(user, mailOf("one"));
  await expect.poll(mailbox.subjects).toEqual(["one"]);
  expect(mailbox.taken[0]?.raw).toBe(mailOf("one"));
});

test("nothing is lost over an outage, and all comes in its order", async () => {
  const count = inDepth(120, 5_000);
  const { user, mailbox } = await connected();
  await mailbox.stop();
  for (const subject of numbered(count)) dovecot.deliver(user, mailOf(subject));
  mailbox.start();
  await expect.poll(() => mailbox.taken.length).toBe(count);
  expect(mailbox.subjects()).toEqual(numbered(count));
});

test("colleagues may read, flag and expunge meanwhile: what stayed is in, with its own content", async () => {
  const count = 60;
  const { user, mailbox } = await connected();
  await mailbox.stop();
  for (const subject of numbered(count)) dovecot.deliver(user, mailOf(subject, `The text of ${subject}`));
  const other = await colleague(user);
  await other.messageFlagsAdd("1:*", ["\\Seen"], { uid: true });
  // UIDs 2, 3, …: while the first piece is stored, some go that were read, and some of the third, of which no more than the size is known.
  const [from, to] = [2 + 2 * PIECE_MAILS + 1, 2 + 3 * PIECE_MAILS - 2];
  mailbox.beforeTake = async (uid) => {
    if (uid === 10) await other.messageDelete(`1,5:8,${from}:${to},61`, { uid: true });
  };
  mailbox.start();
  const stayed = numbered(count).filter((_, index) => !(index + 2 >= from && index + 2 <= to) && index + 2 !== 61);
  await expect.poll(mailbox.subjects).toEqual(stayed);
  for (const { raw } of mailbox.taken) {
    const subject = /^Subject: (.*)\r$/m.exec(raw)?.[1] ?? "";
    expect(raw).toBe(mailOf(subject, `The text of ${subject}`));
  }
  other.close();
});

test("reading marks nothing as read", async () => {
  const { user, mailbox } = await connected();
  dovecot.deliver(user, mailOf("one"));
  await expect.poll(mailbox.subjects).toEqual(["one"]);
  const other = await colleague(user);
  expect(await other.search({ seen: true }, { uid: true })).toEqual([]);
  other.close();
});

test("killed over and over, it goes on where it was: no mail is missing, and a crash repeats one piece at most", async () => {
  const kills = inDepth(6, 50);
  const { user, mailbox } = await connected();
  await mailbox.stop();
  const count = kills * 10;
  for (const subject of numbered(count)) dovecot.deliver(user, mailOf(subject));
  for (let kill = 1; kill <= kills; kill += 1) {
    mailbox.start();
    await expect.poll(() => mailbox.taken.length, { interval: 5 }).toBeGreaterThan((kill - 1) * 5);
    await mailbox.stop();
  }
  mailbox.start();
  await expect.poll(() => mailbox.subjects().at(-1)).toBe(`mail ${count}`);
  expect([...new Set(mailbox.subjects())]).toEqual(numbered(count));
  expect(mailbox.taken.length - count).toBeLessThanOrEqual(kills * PIECE_MAILS);
});

test("a connection that is cut at any byte loses nothing, and repeats one piece at most", async () => {
  const proxy = await startCuttingProxy(dovecot.port);
  onTestFinished(() => proxy.stop());
  const { user, mailbox: first } = await connected();
  await first.stop();
  const cut = readMailbox({ port: proxy.port, username: user });
  cut.position = first.position;
  mailbox = cut;
  const count = 8 * PIECE_MAILS;
  for (const subject of numbered(count)) dovecot.deliver(user, mailOf(subject));
  // From the greeting to the mails: those of a batch are 20 kB.
  const step = inDepth(1_000, 100);
  const random = seeded(7);
  let cuts = 0;
  const next = () => {
    cuts += 1;
    proxy.cutAfter = cuts * step < 3_000 ? cuts * step : 3_000 + Math.floor(random() * 20_000);
  };
  next();
  cut.start();
  await expect
    .poll(
      () => {
        if (proxy.connections() >= cuts) next();
        cut.retry();
        return cut.subjects().at(-1);
      },
      { interval: 10 },
    )
    .toBe(`mail ${count}`);
  expect(cuts).toBeGreaterThan(3_000 / step);
  expect([...new Set(cut.subjects())]).toEqual(numbered(count));
  expect(cut.taken.length - count).toBeLessThanOrEqual(cuts * PIECE_MAILS);
});

test("a server that is restarted is connected to again", async () => {
  const { user, mailbox } = await connected();
  await dovecot.kill();
  dovecot.deliver(user, mailOf("one"));
  await expect.poll(() => mailbox.warnings.length).toBeGreaterThan(0);
  await dovecot.restart();
  await expect
    .poll(
      () => {
        mailbox.retry();
        return mailbox.subjects();
      },
      { interval: 1_000 },
    )
    .toEqual(["one"]);
});

test("a changed UIDVALIDITY loses nothing that arrives meanwhile", async () => {
  const { user, mailbox } = await connected();
  dovecot.deliver(user, mailOf("before"));
  await expect.poll(mailbox.subjects).toEqual(["before"]);
  await mailbox.stop();
  await dovecot.doveadm("mailbox", "update", "-u", user, "--uid-validity", "4000000000", "INBOX");
  for (const subject of numbered(20)) dovecot.deliver(user, mailOf(subject));
  mailbox.start();
  await expect.poll(() => mailbox.subjects().at(-1)).toBe("mail 20");
  // The old one is older than the connection; the key of the mail says that "before" is known.
  expect([...new Set(mailbox.subjects())].toSorted()).toEqual(["before", ...numbered(20)].toSorted());
  expect(mailbox.position?.uidValidity).toBe(4_000_000_000);
});

test("after the import mails are archived, and in another account marked as read", async () => {
  const archiving = await connected({ afterImport: "archive" });
  dovecot.deliver(archiving.user, mailOf("one"));
  await expect.poll(() => archiving.mailbox.position?.filedUid).toBe(2);
  const other = await colleague(archiving.user);
  expect(await other.search({ all: true }, { uid: true })).toEqual([1]);
  await other.mailboxOpen("Archive");
  expect(await other.search({ subject: "one" }, { uid: true })).toHaveLength(1);
  other.close();
  await archiving.mailbox.stop();
  const flagging = await connected({ afterImport: "flag" });
  dovecot.deliver(flagging.user, mailOf("one"));
  await expect.poll(() => flagging.mailbox.position?.filedUid).toBe(2);
  const another = await colleague(flagging.user);
  expect(await another.search({ seen: true }, { uid: true })).toEqual([2]);
  another.close();
});

test("the inbox has its turn between many sent mails, which are never marked", async () => {
  const { user, mailbox } = await connected();
  await mailbox.stop();
  const order: string[] = [];
  let sentPosition: FolderPosition | undefined;
  mailbox.sent = {
    positions: {
      load: () => Promise.resolve(sentPosition),
      save(_folder, position) {
        sentPosition = position;
        return Promise.resolve(true);
      },
    },
    isReady: () => Promise.resolve(true),
    wants: {
      headers: ["subject"],
      async decide(head) {
        order.push(/Subject: (.*)\r/i.exec(Buffer.from(head).toString())?.[1] ?? "");
        if (order.length === 3) dovecot.deliver(user, mailOf("inbox"));
        return false;
      },
    },
    take: () => Promise.reject(new Error("No sent mail is wanted.")),
  };
  mailbox.beforeTake = () => void order.push("inbox");
  mailbox.start();
  await expect.poll(() => sentPosition).toBeDefined();
  await mailbox.stop();
  const other = await colleague(user);
  const subjects = numbered(120);
  for (const subject of subjects) await other.append("Sent", mailOf(subject));
  mailbox.start();
  await expect.poll(() => order.length).toBe(121);
  expect(order.indexOf("inbox")).toBeLessThan(60);
  expect(order.filter((each) => each !== "inbox")).toEqual(subjects);
  expect(mailbox.subjects()).toEqual(["inbox"]);
  await other.mailboxOpen("Sent");
  expect(await other.search({ seen: true }, { uid: true })).toEqual([]);
  other.close();
});

test("a folder that does not exist is told", async () => {
  mailbox = readMailbox({ port: dovecot.port, username: "nofolder", folder: "Nowhere" });
  mailbox.start();
  await expect
    .poll(
      () => {
        mailbox?.retry();
        return mailbox?.states;
      },
      { interval: 300 },
    )
    .toMatchObject([{ state: "failing", reason: { name: "imap.no-folder" } }]);
});
