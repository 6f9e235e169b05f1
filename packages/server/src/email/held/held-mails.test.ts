/** The lists of mails of senders who have sent too many, and of programs (docs/decisions/0065-spam.md). */
import { query } from "@frontdesk/testing/second-app";
import { OWN_PAGE, signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import type { Statement } from "../../storage/statement.ts";
import { mailRoom } from "../out/mailbox-for-tests.ts";
import { spamPage } from "../spam/spam-store.ts";
import { quietMailPage } from "./held-mail-store.ts";
import { HELD_LISTED_MS } from "./list-held-mails.ts";

const kit = await startTestApp({ CHANNEL_ALLOWED_NETWORKS: "127.0.0.1" });
const { app, storage, clock } = kit;
await app.start();
const { mailbox } = mailRoom(kit);

let mails = 0;

/** A mailbox that has got 23 mails of one sender, of which three are held. */
async function flooded(acme: TestTeam) {
  const box = await mailbox(acme);
  for (let n = 1; n <= 23; n += 1) {
    mails += 1;
    const head = ["From: Sly <Sly@other.example>", `Message-ID: <${mails}@other.example>`, `Subject: Mail ${n}`];
    await box.post([...head, "", ` Text\r\n  ${n}`].join("\r\n"));
  }
  const waiting = `SELECT 1 FROM mail_imports WHERE team_id = '${acme.teamId}' AND state = 'stored'`;
  await expect.poll(async () => (await query(storage, waiting)).length).toBe(0);
  return box;
}

const subjectsOf = (body: { mails: { subject: string }[] }) => body.mails.map(({ subject }) => subject);

test("the list has the newest first, in pages, with their conversations, and nothing of other teams", async () => {
  const [acme, other] = [await kit.team(), await kit.team()];
  const box = await flooded(acme);
  await flooded(other);
  const agent = await signedIn(kit, acme);
  const first = (await agent.get("/inbox/held-mails?limit=2")).body;
  expect(first.mails).toMatchObject([
    {
      channel_id: box.id,
      sender: { name: "Sly", address: "sly@other.example" },
      ...{ subject: "Mail 23", excerpt: "Text 23" },
    },
    { subject: "Mail 22" },
  ]);
  const [newest] = first.mails;
  expect(Date.parse(newest.received_at)).toBe(clock.now());
  const [message] = await query(storage, `SELECT type, conversation_id FROM messages WHERE id = '${newest.id}'`);
  expect(message).toEqual({ type: "system", conversation_id: newest.conversation_id });
  const second = (await agent.get(`/inbox/held-mails?limit=2&before=${first.next}`)).body;
  expect([subjectsOf(second), second.next]).toEqual([["Mail 21"], null]);
  expect((await agent.get("/inbox/held-mails?before=soon")).status).toBe(422);
  const byKey = { ...OWN_PAGE, "x-api-key": acme.apiKey };
  expect((await app.http.inject({ url: "/app/api/inbox/held-mails", headers: byKey })).statusCode).toBe(403);
});

test("an erased conversation leaves the list at once, and the others after 30 days", async () => {
  const acme = await kit.team();
  await flooded(acme);
  const agent = await signedIn(kit, acme);
  // A session does not last as long.
  const list = async () => (await (await agent.again()).get("/inbox/held-mails")).body;
  const [{ conversation_id }] = (await list()).mails;
  expect((await acme.delete(`/conversations/${conversation_id}`)).status).toBe(202);
  expect(subjectsOf(await list())).toEqual(["Mail 22", "Mail 21"]);
  clock.advance(HELD_LISTED_MS);
  expect(subjectsOf(await list())).toEqual(["Mail 22", "Mail 21"]);
  clock.advance(1);
  expect(subjectsOf(await list())).toEqual([]);
});

test("mails of programs that answer nothing are listed, each in a resolved conversation of its own, and those that answer are not", async () => {
  const [acme, other] = [await kit.team(), await kit.team()];
  const box = await mailbox(acme);
  await mailbox(other);
  const agent = await signedIn(kit, acme);
  const first = await box.arrives({ more: ["Message-ID: <asked@vera.example>"] });
  const program = "Auto-Submitted: auto-generated";
  await box.arrives({ more: ["In-Reply-To: <asked@vera.example>", program], text: "I am away" });
  const letter = await box.arrives({ from: "News <news@shop.example>", more: ["List-Id: <n.shop.example>"] });
  const { mails, next } = (await agent.get("/inbox/automatic-mails")).body;
  expect(next).toBeNull();
  expect(mails).toMatchObject([
    {
      ...{ conversation_id: letter, channel_id: box.id, subject: "Size 40?" },
      sender: { name: "News", address: "news@shop.example" },
    },
  ]);
  expect((await (await signedIn(kit, other)).get("/inbox/automatic-mails")).body.mails).toEqual([]);
  // No list of open conversations has it, and nothing counts it; among all, and among the resolved ones, it is.
  const idsIn = async (view: string) =>
    (await agent.get(`/inbox/conversations?view=${view}`)).body.conversations.map(({ id }: { id: string }) => id);
  expect([await idsIn("open"), await idsIn("resolved")]).toEqual([[first], [letter]]);
  expect((await agent.get("/inbox/counts")).body.views.open.count).toBe(1);
  clock.advance(HELD_LISTED_MS + 1);
  expect((await (await agent.again()).get("/inbox/automatic-mails")).body.mails).toEqual([]);
});

test("what a program began is opened by a person's answer, and is measured from then on", async () => {
  const acme = await kit.team();
  const box = await mailbox(acme);
  const letter = await box.arrives({
    ...{ from: "news@shop.example", more: ["Message-ID: <letter@shop.example>", "List-Id: <n.shop.example>"] },
  });
  const rowOf = async () =>
    (await query(storage, `SELECT is_resolved, unread_messages, episode FROM conversations WHERE id = '${letter}'`))[0];
  expect(await rowOf()).toMatchObject({ is_resolved: 1, unread_messages: 0 });
  await box.arrives({ from: "news@shop.example", more: ["In-Reply-To: <letter@shop.example>"], text: "A person" });
  expect(await rowOf()).toEqual({ is_resolved: 0, unread_messages: 1, episode: 1 });
  const episodes = `SELECT number, opened_by, resolved_at FROM episodes WHERE conversation_id = '${letter}'`;
  expect(await query(storage, episodes)).toEqual([{ number: 1, opened_by: "visitor", resolved_at: null }]);
  expect((await acme.post(`/conversations/${letter}/resolve`, { status: "resolved" })).status).toBe(200);
  expect((await query(storage, episodes))[0]?.resolved_at).toBe(clock.now());
});

test.runIf(storage.engine === "sqlite").each([
  ["held mails", quietMailPage.held, "mail_imports_held"],
  ["automatic mails", quietMailPage.automatic, "mail_imports_automatic"],
  ["spam", spamPage, "mail_imports_spam"],
] as const)(
  "a page of %s is read in its order by an index, and what belongs to it by ids",
  async (_of, page, index) => {
    const { sql } = (page as Statement<never, unknown>).compiled(storage.engine);
    const plan = await query(storage, `EXPLAIN QUERY PLAN ${sql.replaceAll("?", "'1'")}`);
    const text = plan.map(({ detail }) => String(detail)).join("\n");
    expect(text).toMatch(new RegExp(`^SEARCH mail_imports USING INDEX ${index} `));
    expect(text).not.toMatch(/SCAN|TEMP B-TREE|\(team_id=\?\)/);
  },
);
