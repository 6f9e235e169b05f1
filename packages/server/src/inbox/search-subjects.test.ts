/** The subjects of mails are searched (decision 59), on this run's engine, the same on both (docs/decisions/0071-searched-subjects.md). */
import type { InboxFound } from "@frontdesk/core/contract/inbox";
import { assistantOf } from "@frontdesk/testing/assistant-actor";
import { adasInbox } from "@frontdesk/testing/inbox-client";
import { addLine } from "@frontdesk/testing/insert-rows";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { foldSearchTexts } from "../contacts/fold-search-texts.ts";
import { searchConversations } from "../conversations/search-conversations.ts";
import { mailRoom } from "../email/out/mailbox-for-tests.ts";

const kit = await startTestApp({ CHANNEL_ALLOWED_NETWORKS: "127.0.0.1" });
const { app, storage, runtime, team, clock } = kit;
await app.start();
const { mailbox } = mailRoom(kit);

const inInbox = (acme: TestTeam, search: string): Promise<InboxFound> =>
  adasInbox(app, acme).get(`/search?q=${encodeURIComponent(search)}`);

const byTool = async (acme: TestTeam, search: string, granted: Parameters<typeof assistantOf>[1] = {}) => {
  const robin = assistantOf(acme, granted);
  const found = await app.perform(robin, searchConversations, { query: search, limit: 20 });
  return found.map(({ conversation }) => conversation.email_subject);
};

/** A mail with a subject, from a sender of its own; resolves to its conversation. */
async function mailAbout(box: Awaited<ReturnType<typeof mailbox>>, subject: string, text?: string) {
  clock.advance(1_000);
  const encoded = `Subject: =?UTF-8?B?${Buffer.from(subject).toString("base64")}?=`;
  return box.arrives({ more: [encoded], ...(text && { text }) });
}

const REFUND = "Rückerstattung für Kühlschränke";
const ORDER = "Orders 4711 and 4712";

const searches: [search: string, subjects: string[]][] = [
  ["Rückerstattung", [REFUND]],
  ["rueckerstattung", [REFUND]],
  ["ruckerstatt", [REFUND]],
  ["KÜHLSCHRANK", [REFUND]],
  ["kuehlschraenke", [REFUND]],
  ["4711", [ORDER]],
  ["order", [ORDER]],
  // The other form of a word, as in messages.
  ["ordering", [ORDER]],
  // In the subject, in the message and in the contact.
  ["4711 blanket vera", [ORDER]],
  ["4711 guten", []],
  ["vera", [ORDER, REFUND]],
];

async function withMails(): Promise<TestTeam> {
  const acme = await team();
  const box = await mailbox(acme);
  await mailAbout(box, `Re: ${REFUND}`, "Guten Tag");
  await mailAbout(box, ORDER, "The blanket is warm");
  await veraWrites(acme, { name: "Dora", content: "Hello" });
  return acme;
}

const subjectsOf = ({ conversations, messages }: InboxFound) =>
  [...conversations.map(({ conversation }) => conversation), ...messages].map(({ subject }) => subject).toSorted();

test("what people type finds a subject, alone or with a message and the contact", async () => {
  const acme = await withMails();
  for (const [search, subjects] of searches) {
    expect([search, await byTool(acme, search)]).toEqual([search, subjects]);
    expect([search, subjectsOf(await inInbox(acme, search))]).toEqual([search, subjects.toSorted()]);
    expect([search, subjectsOf(await inInbox(acme, `${search} from:vera`))]).toEqual([search, subjects.toSorted()]);
  }
});

test("with a typo where nothing else is found, for an agent and not for an assistant", async () => {
  const acme = await withMails();
  for (const typo of ["rückerstatung", "vera rückerstatung", "rückerstatung guten"]) {
    for (const more of ["", " from:vera"]) {
      const found = await inInbox(acme, typo + more);
      expect([typo, found.forgiving, subjectsOf(found)]).toEqual([typo, true, [REFUND]]);
    }
    expect(await byTool(acme, typo)).toEqual([]);
  }
});

test("as a conversation, unless a message has one of the words: then that message is shown", async () => {
  const acme = await withMails();
  const ofSubject = await inInbox(acme, "4712");
  expect(ofSubject).toMatchObject({ people: [], messages: [], conversations: [{ conversation: { subject: ORDER } }] });
  for (const search of ["4712 blankets", "4712 blankte"]) {
    const ofBoth = await inInbox(acme, search);
    expect(ofBoth).toMatchObject({ conversations: [], messages: [{ subject: ORDER }] });
    const [
      {
        excerpt,
        highlights: [mark],
      } = { excerpt: "", highlights: [] },
    ] = ofBoth.messages;
    expect(excerpt.slice(mark?.start, mark?.end)).toBe("blanket");
  }
});

test("of a word in the subject and another one in a message, the message that has the other one is shown", async () => {
  const acme = await withMails();
  const [{ conversation } = { conversation: { id: "" } }] = (await inInbox(acme, "4712")).conversations;
  await acme.post("/messages", { conversation_id: conversation.id, content: "Your order has left." });
  const { messages } = await inInbox(acme, "order warm");
  expect(messages.map(({ excerpt }) => excerpt)).toEqual([expect.stringContaining("The blanket is warm")]);
});

test("in REST neither as a message nor as a contact: a search there is of their own texts", async () => {
  const acme = await withMails();
  expect((await acme.get("/contacts?search=4712")).body.data).toEqual([]);
  const [{ conversation } = { conversation: { id: "" } }] = (await inInbox(acme, "4712")).conversations;
  expect((await acme.get(`/conversations/${conversation.id}/messages?search=4712`)).body.data).toEqual([]);
});

test("only with what may be seen: no other team, and no assistant without the channel", async () => {
  const acme = await withMails();
  expect(await byTool(acme, "4711", { channels: [] })).toEqual([]);
  const sams = await team();
  expect(await byTool(sams, "4711")).toEqual([]);
  expect((await inInbox(sams, "4711")).conversations).toEqual([]);
});

test("newest activity first, also when it is the subject that is found", async () => {
  const acme = await team();
  const box = await mailbox(acme);
  const first = await mailAbout(box, "Invoice 1");
  await mailAbout(box, "Invoice 2");
  expect(await byTool(acme, "invoice")).toEqual(["Invoice 2", "Invoice 1"]);
  clock.advance(1_000);
  await acme.post("/messages", { conversation_id: first, content: "Paid, thank you." });
  expect(await byTool(acme, "invoice")).toEqual(["Invoice 1", "Invoice 2"]);
});

test("a conversation without a subject is found as ever, and by no word that it lacks", async () => {
  const acme = await team();
  const box = await mailbox(acme);
  await mailAbout(box, "", "The blanket is warm");
  const { conversationId } = await veraWrites(acme, { name: "Dora", content: "Where is my blanket?" });
  await addLine({ storage, runtime }, acme, conversationId, { type: "system", content: "Ada has joined." });
  expect(await byTool(acme, "blanket")).toEqual([null, ""]);
  for (const none of ["blanket sofa", "joined", "null"]) {
    expect(await byTool(acme, none), none).toEqual([]);
  }
});

const folded = async ({ teamId }: TestTeam) =>
  (await query(storage, `SELECT email_subject_folded AS it FROM conversations WHERE team_id = '${teamId}'`)).map(
    ({ it }) => it,
  );

test("a subject that is redacted with its mail is found no more, and nothing is left of it", async () => {
  const acme = await team();
  const box = await mailbox(acme);
  const id = await mailAbout(box, "Invoice 4711");
  expect(await folded(acme)).toEqual(["invoice 4711"]);
  const { body } = await acme.get(`/conversations/${id}/messages`);
  expect((await acme.post(`/messages/${body.data[0].id}/redact`)).status).toBe(200);
  expect(await folded(acme)).toEqual([""]);
  expect(await byTool(acme, "invoice")).toEqual([]);
});

test("subjects of before are folded, in pieces, and found", async () => {
  const acme = await team();
  const box = await mailbox(acme);
  await mailAbout(box, "Größe 40?");
  await veraWrites(acme, { name: "Dora", content: "Hello" });
  await query(storage, `UPDATE conversations SET email_subject_folded = '' WHERE team_id = '${acme.teamId}'`);
  expect(await byTool(acme, "groesse")).toEqual([]);
  const system = { kind: "system", teamId: acme.teamId } as const;
  const data = { of: "subjects" as const, before: "ffffffff-ffff-ffff-ffff-ffffffffffff" };
  await app.perform(system, foldSearchTexts, { subjectId: acme.teamId, armedFor: 0, data });
  expect(await byTool(acme, "groesse")).toEqual(["Größe 40?"]);
  // They are the last piece.
  expect(await query(storage, `SELECT kind FROM timers WHERE team_id = '${acme.teamId}'`)).toEqual([]);
});
