/** Mail to visitors who have left (docs/decisions/0024-care-for-visitors.md), by a real mail server. */
import { widgetLanguages } from "@frontdesk/core/domain/widget-settings";
import { browser } from "@frontdesk/testing/browser-visitor";
import { heldTimeouts } from "@frontdesk/testing/held-timeouts";
import { block } from "@frontdesk/testing/insert-rows";
import { jobHandlers } from "@frontdesk/testing/job-handlers";
import { readMail, startMailServer } from "@frontdesk/testing/mail-server";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaReplies as adaRepliesOverRest, veraWrites } from "@frontdesk/testing/vera";
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { notePresence } from "../contacts/note-presence.ts";
import { type AgentMessageInput, sendMessage } from "../conversations/send-message.ts";
import { createJobRunner } from "../jobs/job-runner.ts";
import { createPerform, type Perform } from "../perform.ts";
import { redactMessage } from "../privacy/redact-message.ts";
import { timerHandlers } from "../timers/timer-handlers.ts";
import { createTimerWorker } from "../timers/timer-worker.ts";
import { updateWidget } from "../widgets/update-widget.ts";
import { repliesMailTexts } from "./replies-mail-texts.ts";
import { createMailer } from "./send-mail.ts";
import { sendRepliesMailJob } from "./send-replies-mail-job.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const REFUSED = "gone@example.com";
const server = await startMailServer({ refuses: REFUSED });
afterAll(server.stop);
const smtpUrl = `smtp://127.0.0.1:${server.port}`;
// The app sends no mail and is not started; replies are written, and mailed, beside it.
const { app, storage, runtime, clock, team } = await startTestApp();
const beside = createPerform(storage, { ...runtime, sendsMail: true });

/** A runner whose mailer and whose notes may fail. */
function startRunner(perform: Perform = beside, url = smtpUrl) {
  const mailer = createMailer({ smtpUrl: url, from: "Frontdesk <chat@acme.test>" });
  const handlers = jobHandlers({ "send-replies-mail": sendRepliesMailJob(mailer, () => perform) });
  const runner = createJobRunner({
    storage,
    runtime,
    vault: runtime.vault,
    handlers,
    logger: pino({ level: "silent" }),
  });
  afterAll(() => runner.stop());
  return runner;
}
const usual = startRunner();

const timeouts = heldTimeouts();
const timers = createTimerWorker({
  ...{ storage, runtime, perform: beside, handlers: timerHandlers, timeouts },
  logger: pino({ level: "silent" }),
});
afterAll(() => timers.stop());
timers.start();

/** Time goes on, and every timer and job of the team that is due then is done. */
async function later(acme: TestTeam, ms: number, runner = usual): Promise<void> {
  clock.advance(ms);
  const due = `SELECT kind FROM jobs WHERE team_id = '${acme.teamId}' AND state <> 'done' AND run_at <= ${clock.now()}
    UNION ALL SELECT kind FROM timers WHERE team_id = '${acme.teamId}' AND due_at <= ${clock.now()}`;
  await expect
    .poll(async () => {
      timeouts.advance(ms);
      timers.wake(clock.now());
      timeouts.advance(0);
      runner.wake(acme.teamId);
      return query(storage, due);
    })
    .toEqual([]);
}

/** Ada replies, or notes something. */
const adaReplies = (acme: TestTeam, conversationId: string, more: Partial<AgentMessageInput> = {}) =>
  beside(acme.actor, sendMessage, {
    ...{ conversationId, type: "message", content: "We do, Vera.", agentId: acme.ada.id, attachments: [] },
    ...more,
  });

const timersOf = (conversationId: string) =>
  query(storage, `SELECT kind, due_at FROM timers WHERE subject_id = '${conversationId}'`);

let visitors = 0;

/** Vera has written in the widget, left her e-mail, and disconnected. */
async function veraWrote(acme: TestTeam, more: object = {}) {
  visitors += 1;
  const email = `vera-${visitors}@example.com`;
  // Each at an address of her own, since new visitors are bounded by address.
  const vera = browser(app, acme, { address: `198.51.100.${visitors}` });
  const { body } = await vera.write("Do you ship to Portugal?", { name: "Vera", email, ...more });
  const contactId: string = body.contact.id;
  const isHere = (online: boolean) =>
    app.perform(acme.actor, notePresence, { contacts: [{ id: contactId, online }], agents: [] });
  return {
    ...vera,
    contactId,
    conversationId: body.message.conversation_id as string,
    isHere,
    /** The mails she has got. */
    mails: () => server.inbox.filter(({ to }) => to.includes(email)).map(readMail),
    visits: (page: string) =>
      app.perform(acme.actor, notePresence, { contacts: [], agents: [], pages: [{ contactId, page }] }),
  };
}

test("replies that were not seen for three minutes come in one mail, once", async () => {
  const acme = await team();
  const vera = await veraWrote(acme);
  await adaReplies(acme, vera.conversationId, { content: "We do, Vera." });
  await adaReplies(acme, vera.conversationId, { content: "She sounds nervous.", type: "note" });
  clock.advance(MINUTE_MS);
  await adaReplies(acme, vera.conversationId, {
    content: "It takes\n<b>three</b> days.",
    attachments: [{ url: "https://files.test/map.png", name: "map.png" }],
  });
  await later(acme, 2 * MINUTE_MS - 1);
  expect(vera.mails()).toHaveLength(0);
  await later(acme, 1);
  await later(acme, DAY_MS);

  const [mail, ...others] = vera.mails();
  expect(others).toEqual([]);
  expect(mail?.header("From")).toBe("Acme <chat@acme.test>");
  expect(mail?.header("Subject")).toBe("New message from Acme");
  expect(mail?.header("Auto-Submitted")).toBe("auto-generated");
  expect(mail?.part("text/plain")).toContain(
    "Ada:\nWe do, Vera.\n\nAda:\nIt takes\n<b>three</b> days.\nmap.png: https://files.test/map.png\n\n",
  );
  expect(mail?.part("text/html")).toContain("It takes<br>&#60;b&#62;three&#60;/b&#62; days.");
  expect(mail?.part("text/html")).toContain('<a href="https://files.test/map.png" dir="auto">map.png</a>');
  for (const type of ["text/plain", "text/html"] as const) expect(mail?.part(type)).not.toMatch(/nervous|Portugal/);
});

test("what was seen is not mailed", async () => {
  const acme = await team();
  const vera = await veraWrote(acme);
  await adaReplies(acme, vera.conversationId, { content: "We do." });
  await vera.seen(vera.conversationId, 2);
  await later(acme, 3 * MINUTE_MS);
  expect(vera.mails()).toHaveLength(0);
  await adaReplies(acme, vera.conversationId, { content: "In three days." });
  await later(acme, 3 * MINUTE_MS);
  expect(vera.mails().map((mail) => mail.part("text/plain").match(/^Ada:\n.*$/m)?.[0])).toEqual([
    "Ada:\nIn three days.",
  ]);
});

test("a reply that was redacted is not mailed, and the others are", async () => {
  const acme = await team();
  const vera = await veraWrote(acme);
  const wrong = await adaReplies(acme, vera.conversationId, { content: "Your code is 77." });
  await app.perform(acme.actor, redactMessage, { messageId: wrong.message.id });
  await later(acme, 3 * MINUTE_MS);
  expect(vera.mails()).toHaveLength(0);
  await adaReplies(acme, vera.conversationId, { content: "I’ll call you." });
  await later(acme, 3 * MINUTE_MS);
  expect(vera.mails().map((mail) => mail.part("text/plain").match(/^Ada:\n.*$/m)?.[0])).toEqual([
    "Ada:\nI’ll call you.",
  ]);
});

test("a visitor who is online gets no mail; what they have not seen when they leave is mailed then", async () => {
  const acme = await team();
  const vera = await veraWrote(acme);
  await vera.isHere(true);
  await adaReplies(acme, vera.conversationId);
  await later(acme, 3 * MINUTE_MS);
  await later(acme, 15 * MINUTE_MS);
  expect(vera.mails()).toHaveLength(0);
  await vera.isHere(false);
  await later(acme, 15 * MINUTE_MS);
  expect(vera.mails()).toHaveLength(1);
});

test("a conversation has at most one mail in three minutes, and each reply waits its own three", async () => {
  const acme = await team();
  const vera = await veraWrote(acme);
  const said = () =>
    vera.mails().map((mail) =>
      mail
        .part("text/plain")
        .match(/Reply \d/g)
        ?.join(", "),
    );
  await adaReplies(acme, vera.conversationId, { content: "Reply 1" });
  clock.advance(MINUTE_MS);
  await vera.seen(vera.conversationId, 2);
  clock.advance(MINUTE_MS);
  await adaReplies(acme, vera.conversationId, { content: "Reply 2" });
  await later(acme, MINUTE_MS);
  expect(said()).toEqual([]);
  await later(acme, 2 * MINUTE_MS);
  expect(said()).toEqual(["Reply 2"]);
  await adaReplies(acme, vera.conversationId, { content: "Reply 3" });
  await later(acme, 3 * MINUTE_MS - 1);
  expect(said()).toEqual(["Reply 2"]);
  await later(acme, 1);
  expect(said()).toEqual(["Reply 2", "Reply 3"]);
});

test("a reply that comes while a mail is under way is mailed in its own time", async () => {
  const acme = await team();
  const vera = await veraWrote(acme);
  await adaReplies(acme, vera.conversationId, { content: "Reply 1" });
  // Between the sending and its note.
  const perform: Perform = async (actor, operation, input) => {
    if (operation.name === "note-replies-mailed") {
      await adaReplies(acme, vera.conversationId, { content: "Reply 2" });
    }
    return beside(actor, operation, input);
  };
  await later(acme, 3 * MINUTE_MS, startRunner(perform));
  expect(vera.mails()).toHaveLength(1);
  await later(acme, 3 * MINUTE_MS);
  expect(vera.mails().map((mail) => mail.part("text/plain").match(/Reply \d/g))).toEqual([["Reply 1"], ["Reply 2"]]);
});

test("visitors without an e-mail, blocked ones, and those whom a program registered get none", async () => {
  const acme = await team();
  const [nameless, blocked] = [await veraWrote(acme, { email: undefined }), await veraWrote(acme)];
  const brought = await veraWrites(acme, { email: "brought@example.com" });
  for (const { conversationId } of [nameless, blocked, brought]) await adaReplies(acme, conversationId);
  await block(storage, acme, blocked.contactId);
  const before = server.inbox.length;
  await later(acme, 3 * MINUTE_MS);
  await adaReplies(acme, blocked.conversationId);
  await later(acme, DAY_MS);
  expect(server.inbox.length).toBe(before);
});

test("the mail leads back to the last page, and reveals nothing of it but its address", async () => {
  const acme = await team();
  const lines = async (page: string | undefined, sites: string[] = []) => {
    await app.perform(acme.actor, updateWidget, { widgetId: acme.widgetId, change: { settings: { sites } } });
    const vera = await veraWrote(acme, {
      page_visited: [{ page: "https://acme.test/first", date: "2026-11-20T08:00:00Z" }],
    });
    if (page) await vera.visits(page);
    await adaReplies(acme, vera.conversationId);
    await later(acme, 3 * MINUTE_MS);
    const [mail] = vera.mails();
    const link = /<a href="([^"]+)">Back to the chat/.exec(mail?.part("text/html") ?? "")?.[1];
    expect(mail?.part("text/plain")).toContain(
      link ? `Back to the chat: ${link}` : "To reply, open the chat on our website.",
    );
    return link;
  };
  const sites = ["https://acme.test", "https://shop.test", "https://*.shop.test"];
  expect(await lines("https://user:secret@shop.test/cart?token=secret#secret", sites)).toBe("https://shop.test/cart");
  expect(await lines(undefined, sites)).toBe("https://acme.test/first");
  expect(await lines("javascript:alert(1)", sites)).toBeUndefined();
  expect(await lines("https://evil.test/", sites)).toBeUndefined();
  expect(await lines("https://www.shop.test/", sites)).toBe("https://www.shop.test/");
});

test("without sites the mail has no link, since a stranger names the page", async () => {
  const acme = await team();
  const vera = await veraWrote(acme);
  await vera.visits("https://evil.test/sign-in");
  await adaReplies(acme, vera.conversationId);
  await later(acme, 3 * MINUTE_MS);
  const [mail] = vera.mails();
  expect(mail?.part("text/plain")).toContain("To reply, open the chat on our website.");
  for (const type of ["text/plain", "text/html"] as const) expect(mail?.part(type)).not.toContain("evil.test");
});

test("an unverified address gets three mails an hour over all conversations, and later the rest", async () => {
  const acme = await team();
  const email = `target-${visitors}@example.com`;
  const chats = [];
  // As many visitors, each with another spelling of another person's address.
  for (const written of [email, email.toUpperCase(), email, email, email]) {
    const chat = await veraWrote(acme, { email: written });
    await adaReplies(acme, chat.conversationId, { content: `Reply ${chats.length}` });
    chats.push(chat);
  }
  const mails = () => server.inbox.filter(({ to }) => to.some((one) => one.toLowerCase() === email)).map(readMail);
  await later(acme, 3 * MINUTE_MS);
  expect(mails()).toHaveLength(3);
  const told = () => mails().flatMap((mail) => mail.part("text/plain").match(/Reply \d/g) ?? []);
  const left = ["Reply 0", "Reply 1", "Reply 2", "Reply 3", "Reply 4"].filter((reply) => !told().includes(reply));
  // Replies of the meantime are sent with those that wait, and none is lost.
  const waiting = chats[Number(left[0]?.at(-1))];
  await adaReplies(acme, waiting?.conversationId as string, { content: "Reply 9" });
  await later(acme, 56 * MINUTE_MS);
  expect(mails()).toHaveLength(3);
  await later(acme, 4 * MINUTE_MS);
  expect(mails()).toHaveLength(5);
  expect(told().toSorted()).toEqual(["Reply 0", "Reply 1", "Reply 2", "Reply 3", "Reply 4", "Reply 9"]);

  // The mails of another team, and to another address, are counted for themselves.
  const [sams, others] = [await team(), await veraWrote(acme)];
  const sam = await veraWrote(sams, { email });
  await adaReplies(sams, sam.conversationId);
  await adaReplies(acme, others.conversationId);
  await later(sams, 3 * MINUTE_MS);
  await later(acme, 0);
  expect(mails()).toHaveLength(6);
  expect(others.mails()).toHaveLength(1);
});

test("a mail that is tried again counts once", async () => {
  const acme = await team();
  const email = `again-${visitors}@example.com`;
  for (let chat = 0; chat < 3; chat += 1) {
    const { conversationId } = await veraWrote(acme, { email });
    await adaReplies(acme, conversationId);
  }
  await later(acme, 3 * MINUTE_MS, startRunner(beside, "smtp://127.0.0.1:1"));
  await later(acme, MINUTE_MS);
  expect(server.inbox.filter(({ to }) => to.includes(email))).toHaveLength(3);
});

test("an address that the owner's server vouches for is not counted; one that a known visitor has typed beside it is", async () => {
  const acme = await team();
  const own = `vouched-${visitors}@example.com`;
  const typed = `typed-${visitors}@example.com`;
  for (const email of [own, typed]) {
    for (let chat = 0; chat < 5; chat += 1) {
      const { conversationId, contactId } = await veraWrote(acme, { email });
      await query(storage, `UPDATE contacts SET verified_email = '${own}' WHERE id = '${contactId}'`);
      await adaReplies(acme, conversationId);
    }
  }
  await later(acme, 3 * MINUTE_MS);
  const mailsTo = (address: string) => server.inbox.filter(({ to }) => to.includes(address)).length;
  expect([mailsTo(own), mailsTo(typed)]).toEqual([5, 3]);
});

test("it is in the visitor's language", async () => {
  const acme = await team();
  const mailIn = async (language: string) => {
    const vera = await veraWrote(acme, { language });
    await adaReplies(acme, vera.conversationId);
    await later(acme, 3 * MINUTE_MS);
    return vera.mails()[0];
  };
  expect((await mailIn("de-AT"))?.header("Subject")).toBe("Neue Nachricht von Acme");
  const arabic = await mailIn("ar");
  expect(arabic?.part("text/html")).toContain('<html lang="ar" dir="rtl">');
  expect(arabic?.part("text/plain")).toContain(repliesMailTexts.ar.intro("Acme"));
  expect((await mailIn("nl"))?.header("Subject")).toBe("New message from Acme");
});

test("every text is there in every language, with the team's name", () => {
  expect(Object.keys(repliesMailTexts)).toEqual([...widgetLanguages]);
  const all = Object.values(repliesMailTexts).map((texts) => [
    ...[texts.subject, texts.intro, texts.why].map((text) => text("Acme")),
    ...[texts.backToChat, texts.openChat, texts.answerThere],
  ]);
  for (const texts of all) for (const text of texts.slice(0, 3)) expect(text).toContain("Acme");
  expect(new Set(all.flat()).size).toBe(all.length * 6);
});

test("a crash after the mail was sent sends it again, as the same mail, and loses none", async () => {
  const acme = await team();
  const vera = await veraWrote(acme);
  await adaReplies(acme, vera.conversationId);
  const crashing: Perform = (actor, operation, input) => {
    if (operation.name === "note-replies-mailed") throw new Error("The process ended here.");
    return beside(actor, operation, input);
  };
  await later(acme, 3 * MINUTE_MS, startRunner(crashing));
  await later(acme, MINUTE_MS);
  await later(acme, DAY_MS);
  const ids = vera.mails().map((mail) => mail.header("Message-ID"));
  expect(ids).toEqual([`<${vera.conversationId}.2@acme.test>`, `<${vera.conversationId}.2@acme.test>`]);
});

test("a mail server that is down is waited for; an address that it refuses is not", async () => {
  const acme = await team();
  const vera = await veraWrote(acme);
  await adaReplies(acme, vera.conversationId);
  await later(acme, 3 * MINUTE_MS, startRunner(beside, "smtp://127.0.0.1:1"));
  expect(vera.mails()).toHaveLength(0);
  await later(acme, MINUTE_MS);
  expect(vera.mails()).toHaveLength(1);

  const gone = await veraWrote(acme, { email: REFUSED });
  await adaReplies(acme, gone.conversationId);
  await later(acme, 3 * MINUTE_MS);
  const [row] = await query(storage, `SELECT mailed_number FROM conversations WHERE id = '${gone.conversationId}'`);
  expect(row).toEqual({ mailed_number: 2 });
  expect(await timersOf(gone.conversationId)).toEqual([]);
});

test("a job that was given up keeps no later reply from being mailed", async () => {
  const acme = await team();
  const vera = await veraWrote(acme);
  await adaReplies(acme, vera.conversationId);
  const down = startRunner(beside, "smtp://127.0.0.1:1");
  await later(acme, 3 * MINUTE_MS, down);
  await query(storage, `UPDATE jobs SET attempts = 5 WHERE team_id = '${acme.teamId}'`);
  clock.advance(DAY_MS);
  await expect
    .poll(async () => {
      down.wake(acme.teamId);
      return query(storage, `SELECT state FROM jobs WHERE team_id = '${acme.teamId}'`);
    })
    .toEqual([{ state: "failed" }]);
  expect(vera.mails()).toHaveLength(0);
  await adaReplies(acme, vera.conversationId, { content: "Are you there?" });
  await query(storage, `DELETE FROM jobs WHERE team_id = '${acme.teamId}'`);
  await later(acme, 3 * MINUTE_MS);
  expect(vera.mails()).toHaveLength(1);
});

test("while the mail server is down, later replies wait for the one mail", async () => {
  const acme = await team();
  const vera = await veraWrote(acme);
  await adaReplies(acme, vera.conversationId, { content: "Reply 1" });
  const down = startRunner(beside, "smtp://127.0.0.1:1");
  await later(acme, 3 * MINUTE_MS, down);
  await adaReplies(acme, vera.conversationId, { content: "Reply 2" });
  await later(acme, 3 * MINUTE_MS, down);
  expect(await query(storage, `SELECT kind, queue_key FROM jobs WHERE team_id = '${acme.teamId}'`)).toEqual([
    { kind: "send-replies-mail", queue_key: vera.conversationId },
  ]);
  expect(await timersOf(vera.conversationId)).toMatchObject([{ kind: "mail-replies" }]);
  await later(acme, 10 * MINUTE_MS);
  await later(acme, DAY_MS);
  expect(vera.mails().map((mail) => mail.part("text/plain").match(/Reply \d/g))).toEqual([["Reply 1", "Reply 2"]]);
  expect(await timersOf(vera.conversationId)).toEqual([]);
});

test("what was seen while the mail server was down is not mailed", async () => {
  const acme = await team();
  const vera = await veraWrote(acme);
  await adaReplies(acme, vera.conversationId);
  await later(acme, 3 * MINUTE_MS, startRunner(beside, "smtp://127.0.0.1:1"));
  await vera.seen(vera.conversationId, 2);
  await later(acme, DAY_MS);
  expect(vera.mails()).toHaveLength(0);
});

test("without a mail server nothing is planned", async () => {
  const acme = await team();
  const vera = await veraWrote(acme);
  await adaRepliesOverRest(acme, vera.conversationId);
  expect(await query(storage, `SELECT kind FROM jobs WHERE team_id = '${acme.teamId}'`)).toEqual([]);
  expect(await timersOf(vera.conversationId)).toEqual([]);
});
