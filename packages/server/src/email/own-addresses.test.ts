/** Other addresses of a mailbox, and the senders of web forms: who a mail is from, and whom its answer goes to. */
import { query } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { mailRoom } from "./out/mailbox-for-tests.ts";

const kit = await startTestApp({ CHANNEL_ALLOWED_NETWORKS: "127.0.0.1" });
const { app, storage } = kit;
await app.start();
const { mailbox, reply, isIn } = mailRoom(kit);

const FORM = "wordpress@web.example";
const settings = { aliases: ["sales@acme.example"], form_senders: [FORM] };

async function scene(given: object = settings) {
  const acme = await kit.team();
  const box = await mailbox(acme, {}, given);
  const rowOf = async (table: string, id: unknown) =>
    (await query(storage, `SELECT * FROM ${table} WHERE team_id = '${acme.teamId}' AND id = '${id}'`))[0];
  const contactOf = async (id: string) => rowOf("contacts", (await rowOf("conversations", id))?.contact_id);
  const isUnread = async (id: string) => Number((await rowOf("conversations", id))?.unread_messages) > 0;
  return { acme, box, contactOf, isUnread };
}

test("a reply goes to no alias, with or without a tag, and leaves from the mailbox's own address", async () => {
  const { acme, box } = await scene();
  const id = await box.arrives({ to: "Sales@acme.example", cc: "sales+2026@acme.example, will@will.example" });
  await reply(acme, id);
  await isIn(acme, id, "sent");
  const [mail] = box.smtp.mails;
  expect(mail?.to).toEqual(["vera@vera.example", "will@will.example"]);
  expect(mail?.from).toBe(box.address);
  expect(mail?.raw).toMatch(new RegExp(`^From: .*<${box.address}>\\r$`, "m"));
  expect(mail?.raw).not.toContain("sales");
});

test("an alias of one mailbox is no recipient in another, and no mail is begun to it", async () => {
  const { acme, box } = await scene();
  const other = await mailbox(acme);
  const id = await other.arrives({ cc: "sales@acme.example" });
  await reply(acme, id);
  await isIn(acme, id, "sent");
  expect(other.smtp.mails[0]?.to).toEqual(["vera@vera.example"]);
  const first = { channel_id: box.id, to: "sales@acme.example", subject: "Hello", content: "Hello" };
  expect(Object.keys((await acme.post("/conversations/outbound", first)).body.errors)).toEqual(["to"]);
});

test("what our website sends from an alias is from the person in Reply-To; without the alias it is not", async () => {
  const mail = { from: "Website <sales@acme.example>", more: ["Reply-To: Vera <vera@vera.example>"] };
  const [known, unknown] = [await scene(), await scene({})];
  expect(await known.contactOf(await known.box.arrives(mail))).toMatchObject({
    ...{ name: "Vera", email: "vera@vera.example" },
  });
  expect(await unknown.contactOf(await unknown.box.arrives(mail))).toMatchObject({ email: "sales@acme.example" });
});

test("the mails of a form are from the person in Reply-To, who is answered, also when a program says that it wrote them", async () => {
  const { acme, box, contactOf, isUnread } = await scene();
  const automatic = ["Auto-Submitted: auto-generated", "Precedence: bulk", "List-Unsubscribe: <https://web.example/>"];
  const id = await box.arrives({
    ...{ from: `Website <${FORM.toUpperCase()}>`, more: ["Reply-To: Vera <vera@vera.example>", ...automatic] },
  });
  expect(await contactOf(id)).toMatchObject({ name: "Vera", email: "vera@vera.example" });
  expect(await isUnread(id)).toBe(true);
  await reply(acme, id);
  await isIn(acme, id, "sent");
  expect(box.smtp.mails[0]?.to).toEqual(["vera@vera.example"]);
  // Two people are two conversations, and who typed Vera's address joins none of hers.
  const kim = await box.arrives({ from: FORM, more: ["Reply-To: kim@kim.example"] });
  expect(await contactOf(kim)).toMatchObject({ email: "kim@kim.example" });
  const messageId = /^Message-ID: (.+)\r$/im.exec(box.smtp.mails[0]?.raw ?? "")?.[1];
  const typed = ["Reply-To: vera@vera.example", `In-Reply-To: ${messageId}`];
  expect(await box.arrives({ from: FORM, more: typed })).not.toBe(id);
  // She answers by mail herself.
  expect(await box.arrives({ more: [`In-Reply-To: ${messageId}`] })).toBe(id);
});

test("a form that names no one in Reply-To, and one that is not listed, is from its own address, and automatic if it says so", async () => {
  const { box, contactOf, isUnread } = await scene();
  const automatic = "Auto-Submitted: auto-generated";
  const nameless = await box.arrives({ from: FORM, more: [automatic] });
  expect([await contactOf(nameless), await isUnread(nameless)]).toMatchObject([{ email: FORM }, false]);
  const more = ["Reply-To: vera@vera.example", automatic];
  const unlisted = await box.arrives({ from: "forms@other.example", more });
  expect([await contactOf(unlisted), await isUnread(unlisted)]).toMatchObject([
    { email: "forms@other.example" },
    false,
  ]);
});
