/** A mailbox on a server that does what servers should not. Dovecot: `dovecot-mailbox.test.ts`. */
import { mailOf, readMailbox } from "@frontdesk/testing/read-mailbox";
import { type ScriptedImap, startScriptedImap } from "@frontdesk/testing/scripted-imap";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MOST_MAIL_BYTES } from "./fetch-mail.ts";
import { SENT_MS } from "./follow-sent.ts";
import { FAILING_AFTER, IDLE_MS, REFUSED_WAIT_MS, SWEEP_GAPS_MS } from "./imap-session.ts";
import { PIECE_MAILS } from "./pieces-of.ts";

let imap: ScriptedImap;
let mailbox: ReturnType<typeof readMailbox>;

beforeEach(async () => {
  imap = await startScriptedImap();
  mailbox = readMailbox({ port: imap.port });
});
afterEach(async () => {
  await mailbox.stop();
  await imap.stop();
});

/** Connected, caught up and waiting for news. */
async function idle() {
  mailbox.start();
  await expect.poll(() => imap.idling()).toBe(1);
}

const subjects = () => expect.poll(mailbox.subjects);
const retried = () =>
  expect.poll(() => {
    mailbox.retry();
    return mailbox.subjects();
  });

test("reads from now on, and takes each new mail when the server announces it", async () => {
  imap.deliver(mailOf("old"));
  await idle();
  imap.deliver(mailOf("one"));
  await subjects().toEqual(["one"]);
  await expect.poll(() => imap.idling()).toBe(1);
  imap.deliver(mailOf("two"));
  await subjects().toEqual(["one", "two"]);
  expect(mailbox.states).toEqual([{ state: "active" }]);
});

test("asks by UID alone, marks nothing as read, and does not take the last mail again that n:* always answers", async () => {
  await idle();
  imap.deliver(mailOf("one"));
  await subjects().toEqual(["one"]);
  await expect.poll(() => imap.idling()).toBe(1);
  mailbox.advance(IDLE_MS);
  await expect.poll(() => imap.commands.filter((line) => / UID SEARCH UID 2:\*/i.test(line)).length).toBe(1);
  await expect.poll(() => imap.idling()).toBe(1);
  expect(mailbox.subjects()).toEqual(["one"]);
  const sent = imap.commands.map((line) => line.replace(/^\S+ /, ""));
  expect(sent.filter((line) => /^(FETCH|SEARCH|STORE|SELECT)\b/i.test(line))).toEqual([]);
  expect(sent.some((line) => /BODY\[/i.test(line))).toBe(false);
});

test("an EXISTS that lies takes nothing, and the connection goes on", async () => {
  await idle();
  imap.announce(17);
  await expect.poll(() => imap.commands.filter((line) => /IDLE$/.test(line)).length).toBe(2);
  imap.deliver(mailOf("one"));
  await subjects().toEqual(["one"]);
  expect(imap.connections()).toBe(1);
});

test.each(["unlisted", "unnumbered", "without status", "unopened"] as const)(
  "where the folder of sent mails is %s, the inbox is read as before",
  async (fault) => {
    imap.faults.sent = fault;
    const unexpected = () => Promise.reject(new Error("No sent mail is read."));
    const known = { uidValidity: 1, lastUid: 5, connectedAt: 0, renumberedTo: 0, filedUid: 5, gaps: [] };
    mailbox.sent = {
      positions: { load: async () => (fault === "unopened" ? known : undefined), save: unexpected },
      isReady: async () => true,
      wants: { headers: ["from"], decide: unexpected },
      take: unexpected,
    };
    await idle();
    imap.deliver(mailOf("one"));
    await subjects().toEqual(["one"]);
    await expect.poll(() => imap.idling()).toBe(1);
    mailbox.advance(IDLE_MS);
    await expect.poll(() => imap.idling()).toBe(1);
    expect(mailbox.warnings).toEqual([]);
    expect(imap.connections()).toBe(1);
  },
);

test("a look for sent mails asks the inbox nothing, which is asked every four minutes all the same", async () => {
  const unexpected = () => Promise.reject(new Error("Nothing was sent."));
  const known = { uidValidity: 1, lastUid: 999, connectedAt: 0, renumberedTo: 0, filedUid: 999, gaps: [] };
  imap.faults.sent = "unopened";
  mailbox.sent = {
    positions: { load: async () => known, save: unexpected },
    ...{ isReady: unexpected, wants: { headers: ["from"], decide: unexpected }, take: unexpected },
  };
  await idle();
  const asked = (command: string) => imap.commands.filter((line) => line.includes(command)).length;
  const [searches, looks] = [asked("UID SEARCH"), asked("STATUS")];
  mailbox.advance(SENT_MS);
  await expect.poll(() => asked("STATUS")).toBe(looks + 1);
  await expect.poll(() => imap.idling()).toBe(1);
  expect(asked("UID SEARCH")).toBe(searches);
  imap.deliver(mailOf("one"));
  await subjects().toEqual(["one"]);

  imap.faults.silentIdle = true;
  imap.deliver(mailOf("two"));
  await expect
    .poll(() => {
      if (imap.idling() === 1) mailbox.advance(SENT_MS);
      return mailbox.subjects();
    })
    .toEqual(["one", "two"]);
  expect(asked("STATUS") - looks).toBeLessThanOrEqual(IDLE_MS / SENT_MS + 3);
  expect(mailbox.warnings).toEqual([]);
});

test("a server that is silent in IDLE is asked in less than five minutes", async () => {
  imap.faults.silentIdle = true;
  await idle();
  imap.deliver(mailOf("one"));
  mailbox.advance(IDLE_MS);
  expect(IDLE_MS).toBeLessThan(300_000);
  await subjects().toEqual(["one"]);
});

test("a dead connection is given up, and another one takes what came in meanwhile", async () => {
  await idle();
  imap.faults.dead = true;
  imap.deliver(mailOf("one"));
  mailbox.advance(IDLE_MS);
  await expect.poll(() => imap.commands.at(-1)).toBe("DONE");
  imap.faults.dead = false;
  mailbox.advance(20_000);
  await expect.poll(() => mailbox.warnings.length).toBe(1);
  await expect
    .poll(() => {
      mailbox.retry();
      return mailbox.subjects();
    })
    .toEqual(["one"]);
  expect(imap.connections()).toBe(2);
});

test("a lower UID that shows late is taken by the hourly sweep, once", async () => {
  await idle();
  imap.deliver(mailOf("late"), { hidden: true });
  imap.deliver(mailOf("next"));
  await subjects().toEqual(["next"]);
  await expect.poll(() => imap.idling()).toBe(1);
  (imap.mails[0] as { hidden?: boolean }).hidden = false;
  mailbox.advance(SWEEP_GAPS_MS);
  await subjects().toEqual(["next", "late"]);
  await expect.poll(() => imap.idling()).toBe(1);
  expect(mailbox.position).toMatchObject({ lastUid: 2, gaps: [] });
});

test("a connection that is cut in the middle of a mail repeats that mail; the others are not held up for ever", async () => {
  await idle();
  imap.deliver(mailOf("one"), { cuts: 2, hidden: true });
  imap.deliver(mailOf("poison"), { cuts: 100, hidden: true });
  imap.deliver(mailOf("three"), { hidden: true });
  for (const mail of imap.mails) mail.hidden = false;
  imap.announce(3);
  await expect
    .poll(() => {
      mailbox.retry();
      return mailbox.subjects();
    })
    .toEqual(["one", "poison", "three"]);
  expect(mailbox.taken[0]?.raw).toBe(mailOf("one"));
  expect(mailbox.taken[1]?.raw).toContain("could not be fetched");
  expect(mailbox.taken[2]?.raw).toBe(mailOf("three"));
});

/** Mails that are announced together. */
function deliverAll(mails: readonly string[], more: Parameters<ScriptedImap["deliver"]>[1] = {}) {
  for (const raw of mails) imap.deliver(raw, { ...more, hidden: true });
  for (const mail of imap.mails) mail.hidden = false;
  imap.announce(mails.length);
}
const wholeMails = () => imap.commands.filter((line) => /BODY\.PEEK\[\]/i.test(line)).length;
const numbered = (count: number) => Array.from({ length: count }, (_, n) => `mail ${n + 1}`);

test("small mails come by one command in their order, and other mailboxes have their turn after each batch", async () => {
  await idle();
  const before = mailbox.turns;
  deliverAll(numbered(2 * PIECE_MAILS + 1).map((subject) => mailOf(subject)));
  await subjects().toEqual(numbered(2 * PIECE_MAILS + 1));
  expect(wholeMails()).toBe(3);
  expect(mailbox.turns - before).toBe(1);
  await expect.poll(() => imap.idling()).toBe(1);
  deliverAll(numbered(60).map((subject) => mailOf(`more ${subject}`)));
  await expect.poll(() => mailbox.subjects().at(-1)).toBe("more mail 60");
  expect(mailbox.turns - before).toBe(3);
});

test("the position follows what is stored, not what is fetched ahead of it", async () => {
  await idle();
  let failures = 1;
  mailbox.beforeTake = (uid) => {
    if (uid === PIECE_MAILS + 3 && failures-- > 0) throw new Error("The storage is away.");
  };
  deliverAll(numbered(3 * PIECE_MAILS).map((subject) => mailOf(subject)));
  await expect.poll(() => mailbox.warnings.length).toBe(1);
  expect(mailbox.position?.lastUid).toBe(PIECE_MAILS);
  await expect
    .poll(() => {
      mailbox.retry();
      return mailbox.subjects().at(-1);
    })
    .toBe(`mail ${3 * PIECE_MAILS}`);
  expect([...new Set(mailbox.subjects())]).toEqual(numbered(3 * PIECE_MAILS));
  // Those of its piece, which were stored before the failure.
  expect(mailbox.taken.length).toBe(3 * PIECE_MAILS + 2);
});

test("a server that says too small sizes is asked for one mail at a time", async () => {
  await idle();
  const large = "a line of a large mail\r\n".repeat(80_000);
  deliverAll(
    numbered(5).map((subject) => mailOf(subject, large)),
    { size: 100 },
  );
  await subjects().toEqual(numbered(5));
  expect(mailbox.taken.map(({ raw }) => raw)).toEqual(numbered(5).map((subject) => mailOf(subject, large)));
  // One for all, and each beyond 4 MB again.
  expect(wholeMails()).toBe(4);
});

test("of a mail that is too large come its headers, its first text and a line that says so", async () => {
  await idle();
  imap.deliver(mailOf("huge", "The text", 'Content-Type: text/plain; charset="utf-8"\r\n'), {
    size: MOST_MAIL_BYTES + 1,
  });
  await subjects().toEqual(["huge"]);
  const raw = mailbox.taken[0]?.raw ?? "";
  expect(raw).toContain("The text");
  expect(raw).toContain("[This mail is too large (50 MB). Its attachments are still in the mailbox.]");
  expect(raw.match(/^content-type:/gim)).toHaveLength(3);
  expect(imap.commands.some((line) => /BODY\.PEEK\[\]/.test(line))).toBe(false);
});

test("a mail that is too large is the same under another UID, so that one that was moved back is known", async () => {
  await idle();
  const huge = mailOf("huge", "The text", 'Content-Type: text/plain; charset="utf-8"\r\n');
  imap.deliver(huge, { size: MOST_MAIL_BYTES + 1 });
  await subjects().toEqual(["huge"]);
  await expect.poll(() => imap.idling()).toBe(1);
  imap.deliver(huge, { size: MOST_MAIL_BYTES + 1 });
  await subjects().toEqual(["huge", "huge"]);
  expect(mailbox.taken[1]?.raw).toBe(mailbox.taken[0]?.raw);
});

test("the position follows when the mail is stored, and a mail that could not be stored comes again", async () => {
  await idle();
  let failures = 1;
  mailbox.beforeTake = () => {
    if (failures-- > 0) throw new Error("The storage is away.");
  };
  imap.deliver(mailOf("one"));
  await expect.poll(() => mailbox.warnings.length).toBe(1);
  expect(mailbox.position?.lastUid).toBe(0);
  await retried().toEqual(["one"]);
  await expect.poll(() => mailbox.position?.lastUid).toBe(1);
});

test("a folder that was numbered anew is read again from the beginning, but for mails of before the connection", async () => {
  imap.deliver(mailOf("old"), { internalDate: Date.now() - 3_600_000 });
  await idle();
  imap.deliver(mailOf("one"));
  await subjects().toEqual(["one"]);
  await mailbox.stop();
  imap.uidValidity = 2;
  imap.mails.splice(0);
  imap.deliver(mailOf("old"), { uid: 1, internalDate: Date.now() - 3_600_000 });
  imap.deliver(mailOf("one"), { uid: 2, internalDate: Date.now() + 1_000 });
  imap.deliver(mailOf("two"), { uid: 3, internalDate: Date.now() + 1_000 });
  await idle();
  // The key of the mail says that it is known.
  await subjects().toEqual(["one", "one", "two"]);
  expect(mailbox.position).toMatchObject({ uidValidity: 2, lastUid: 3, renumberedTo: 3, gaps: [] });
});

test("a refused password is told at once, and tried again after an hour", async () => {
  imap.faults.refuses = "AUTHENTICATIONFAILED";
  mailbox.start();
  await expect.poll(() => mailbox.states).toMatchObject([{ state: "needs-sign-in" }]);
  mailbox.advance(REFUSED_WAIT_MS - 1_000);
  expect(imap.connections()).toBe(1);
  delete imap.faults.refuses;
  await expect
    .poll(() => {
      mailbox.advance(imap.connections() === 1 ? 1_000 : 0);
      return mailbox.states.at(-1);
    })
    .toEqual({ state: "active" });
});

test("trouble is told after some tries in a row, and its end at once", async () => {
  imap.faults.bye = true;
  mailbox.start();
  for (let tries = 1; tries <= FAILING_AFTER; tries += 1) {
    await expect.poll(() => mailbox.warnings.length).toBe(tries);
    if (tries === FAILING_AFTER) break;
    expect(mailbox.states).toEqual([]);
    await expect
      .poll(() => {
        mailbox.retry();
        return imap.connections();
      })
      .toBe(tries + 1);
  }
  await expect.poll(() => mailbox.states).toMatchObject([{ state: "failing" }]);
  delete imap.faults.bye;
  await expect
    .poll(() => {
      mailbox.retry();
      return mailbox.states.at(-1);
    })
    .toEqual({ state: "active" });
});

test("a server that goes away with BYE is connected to again", async () => {
  await idle();
  imap.sayBye();
  await expect.poll(() => mailbox.warnings.length).toBe(1);
  imap.deliver(mailOf("one"));
  await retried().toEqual(["one"]);
});

test("a process that no longer has the mailbox takes no further piece", async () => {
  await idle();
  mailbox.isOwned = false;
  deliverAll(numbered(PIECE_MAILS + 1).map((subject) => mailOf(subject)));
  await subjects().toEqual(numbered(PIECE_MAILS));
  await expect.poll(() => imap.idling()).toBe(0);
  await mailbox.stop();
  expect(mailbox.subjects()).toEqual(numbered(PIECE_MAILS));
});
