/** The emails of a contact in an export: whole, and each under the name of its writer (docs/decisions/0056-export.md). */
import { eraseOldFiles } from "@frontdesk/testing/erase-old-files";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { mailRoom } from "../email/out/mailbox-for-tests.ts";
import { expectWhole, exported, json, opened } from "./export-for-tests.ts";

const kit = await startTestApp({ CHANNEL_ALLOWED_NETWORKS: "127.0.0.1" });
await kit.app.start();
const { mailbox, reply, isIn, newest } = mailRoom(kit);
const VERA = "Vera <vera@vera.example>";

async function contactOf(conversationId: string): Promise<string> {
  const [row] = await query(kit.storage, `SELECT contact_id FROM conversations WHERE id = '${conversationId}'`);
  return String(row?.contact_id);
}

async function zipOf(acme: TestTeam, conversationId: string, asked?: object) {
  const zip = await opened(kit, acme, (await exported(acme, await contactOf(conversationId), asked)).url);
  expectWhole(zip);
  const { conversations } = json(zip, "conversations.json");
  return { zip, conversations, page: zip.read("index.html").toString(), contact: json(zip, "contact.json").contact };
}

const importsIn = async ({ teamId }: TestTeam, state: string) =>
  (await query(kit.storage, `SELECT 1 FROM mail_imports WHERE team_id = '${teamId}' AND state = '${state}'`)).length;

test("mails that were held, and those that no human wrote, are in an export with their files and originals", async () => {
  const acme = await kit.team();
  const box = await mailbox(acme);
  const conversation = await box.arrives({ from: VERA, more: ["Message-ID: <first@vera.example>"] });
  await box.post(
    [
      ...[`From: ${VERA}`, `To: ${box.address}`, "Subject: Away", "Message-ID: <away@vera.example>"],
      ...["In-Reply-To: <first@vera.example>", "Auto-Submitted: auto-replied"],
      ...['Content-Type: multipart/mixed; boundary="b"', "", "--b", "Content-Type: text/plain", "", "I am away."],
      ...["--b", 'Content-Type: text/plain; name="until.txt"', "Content-Disposition: attachment", ""],
      ...["Until Monday", "--b--", ""],
    ].join("\r\n"),
  );
  await expect.poll(() => importsIn(acme, "imported")).toBe(2);
  for (let n = 0; n < 19; n += 1) await box.post(`From: ${VERA}\r\nMessage-ID: <${n}@vera.example>\r\n\r\nMail ${n}`);
  await expect.poll(() => importsIn(acme, "held")).toBe(1);

  const { zip, conversations, page } = await zipOf(acme, conversation);
  const [{ messages }, ...later] = conversations;
  expect(messages).toMatchObject([
    { type: "message", from: "contact", name: "Vera" },
    { type: "message", from: "contact", name: "Vera", content: "I am away.", attachments: [{ name: "until.txt" }] },
  ]);
  expect(zip.read(messages[1].attachments[0].file).toString().trim()).toBe("Until Monday");
  expect(zip.read(messages[1].original.file).toString()).toContain("Auto-Submitted: auto-replied");
  expect(later).toHaveLength(19);
  const held = later.at(-1).messages;
  expect(held).toMatchObject([{ type: "message", from: "contact", content: "Mail 18", email: { subject: "" } }]);
  expect(zip.read(held[0].original.file).toString()).toContain("Mail 18");
  expect(page).toContain("Mail 18");
});

test("an export says of emails who they are from and to, their subject and what is folded, also without their originals", async () => {
  const acme = await kit.team();
  const box = await mailbox(acme);
  const more = ["Message-ID: <asked@vera.example>", "Subject: Size 40?"];
  const conversation = await box.arrives({ from: VERA, cc: "Carl <carl@vera.example>", more });
  const quoted = ["On Monday, Carl wrote:", "> The words of before"].join("\r\n");
  await box.post(
    [
      ...[`From: ${VERA}`, `To: ${box.address}`, "Subject: Re: Size 40?", "In-Reply-To: <asked@vera.example>"],
      ...["Message-ID: <again@vera.example>", "Reply-To: Desk <desk@vera.example>", "", "And in red?", "", quoted],
    ].join("\r\n"),
  );
  await expect.poll(() => importsIn(acme, "imported")).toBe(2);
  await reply(acme, conversation);
  await isIn(acme, conversation, "sent");
  const { id: sentId } = await newest(acme, conversation);
  await query(kit.storage, `UPDATE mails SET raw_file = NULL WHERE team_id = '${acme.teamId}'`);

  const { conversations, page } = await zipOf(acme, conversation);
  const [{ email_subject, messages }] = conversations;
  expect(email_subject).toBe("Size 40?");
  const vera = { name: "Vera", address: "vera@vera.example" };
  const carl = { name: "Carl", address: "carl@vera.example" };
  const desk = { name: "Desk", address: "desk@vera.example" };
  const to = [{ name: null, address: box.address }];
  expect(messages[0].email).toEqual({
    ...{ from: vera, to, cc: [carl], subject: "Size 40?", message_id: "<asked@vera.example>", folded_text: null },
    deliveries: [],
  });
  expect(messages[1].email).toMatchObject({ subject: "Re: Size 40?", cc: [] });
  expect(messages[1].email.folded_text).toContain("> The words of before");
  expect(messages[2]).toMatchObject({
    id: sentId,
    from: "team",
    email: {
      ...{ from: { address: box.address }, to: [desk] },
      deliveries: [{ address: desk.address, state: "sent", reason: null }],
    },
  });
  expect(messages[2]).not.toHaveProperty("original");
  expect(page).toContain("Cc: Carl &#60;carl@vera.example&#62;");
  expect(page).toContain("The words of before");
});

test("what others wrote in a conversation is under their own name, and only with notes where it did not go to the contact", async () => {
  const acme = await kit.team();
  const box = await mailbox(acme);
  const conversation = await box.arrives({
    ...{ from: VERA, cc: "carl@vera.example", more: ["Message-ID: <first@vera.example>"] },
  });
  const answer = ["In-Reply-To: <first@vera.example>"];
  const carls = { from: "Carl <carl@vera.example>", more: answer };
  expect(await box.arrives({ ...carls, cc: "VERA@vera.example", text: "To all" })).toBe(conversation);
  expect(await box.arrives({ ...carls, text: "Between us" })).toBe(conversation);
  // Eve was not part of it: Carl has given her the address that our answers come back to.
  await reply(acme, conversation);
  await isIn(acme, conversation, "sent");
  const { id: sentId } = await newest(acme, conversation);
  const [sent] = await query(kit.storage, `SELECT recipients FROM mails WHERE message_id = '${sentId}'`);
  const [{ address: to }] = JSON.parse(String(sent?.recipients)).reply_to;
  expect(await box.arrives({ from: "<eve@eve.example>", to, text: "Carl sent me this" })).toBe(conversation);

  const plain = await zipOf(acme, conversation);
  expect(plain.conversations).toHaveLength(1);
  const original = { file: expect.any(String) };
  expect(plain.conversations[0].messages).toMatchObject([
    { from: "contact", name: "Vera" },
    { from: "other", name: "Carl", email: { from: { address: "carl@vera.example" } }, original },
  ]);
  expect(plain.page).toMatch(/<article class="other">\s*<header><b dir="auto">Carl<\/b>/);
  expect(plain.zip.names.map((name) => plain.zip.read(name).toString()).join("\n")).not.toMatch(
    /Between us|eve@eve|Yes, in stock/,
  );

  const whole = await zipOf(acme, conversation, { include_notes: true });
  expect(whole.conversations[0].messages.slice(2)).toMatchObject([
    { from: "other", name: "Carl", content: expect.stringMatching("Between us") },
    { from: "team", name: "Ada" },
    { from: "other", name: null, email: { from: { address: "eve@eve.example" } } },
  ]);
  expect(whole.page).toContain('<b dir="auto">eve@eve.example</b>');
});

test("an export says how far emails got to the contact, with the mail server's words, and nothing of other recipients", async () => {
  const acme = await kit.team();
  const rcpt = { "vera@vera.example": "552 5.2.2 Her box is full", "carl@vera.example": "550 5.1.1 No Carl here" };
  const box = await mailbox(acme, { rcpt });
  const conversation = await box.arrives({ from: VERA, cc: "Carl <carl@vera.example>" });
  await reply(acme, conversation);
  await isIn(acme, conversation, "failed");
  const { conversations, page, zip } = await zipOf(acme, conversation, { include_notes: true });
  expect(conversations[0].messages[1].email.deliveries).toEqual([
    { address: "vera@vera.example", state: "failed", reason: expect.stringContaining("Her box is full") },
  ]);
  expect(page).toMatch(/Not sent: vera@vera.example – .*Her box is full/);
  expect(zip.names.map((name) => zip.read(name).toString()).join("\n")).not.toContain("No Carl here");
});

test("suppressed addresses of a contact, and their mails that are no message, are in an export, and nobody else's", async () => {
  const acme = await kit.team();
  const box = await mailbox(acme);
  const conversation = await box.arrives({ from: VERA });
  await acme.patch(`/channels/${box.id}`, { state: "paused" });
  for (const name of ["VERA", "failed", "will"]) {
    const address = name === "failed" ? "vera" : name;
    await box.post(`From: <${address}@vera.example>\r\nMessage-ID: <${name}@v.example>\r\n\r\nI am ${name}`);
  }
  await expect.poll(() => importsIn(acme, "stored")).toBe(3);
  const [failed] = await query(
    kit.storage,
    `SELECT key FROM mail_imports WHERE team_id = '${acme.teamId}' AND state = 'stored' AND sender = 'vera@vera.example'`,
  );
  await query(
    kit.storage,
    `UPDATE mail_imports SET state = 'failed' WHERE team_id = '${acme.teamId}' AND key = '${failed?.key}'`,
  );
  for (const name of ["vera", "will"]) {
    await query(
      kit.storage,
      `INSERT INTO mail_suppressions (team_id, account_id, address, reason, created_at)
        VALUES ('${acme.teamId}', '${box.id}', '${name}@vera.example', '550 No ${name} here', 1000)`,
    );
  }
  const { contact, zip, page, conversations } = await zipOf(acme, conversation);
  expect(contact.suppressions).toEqual([
    { address: "vera@vera.example", reason: "550 No vera here", created_at: "1970-01-01T00:00:01.000Z" },
  ]);
  const texts = contact.unimported_emails.map(({ file }: { file: string }) => zip.read(file).toString());
  expect(texts.join("\n")).toMatch(/I am VERA[\s\S]*I am failed/);
  expect(contact.unimported_emails).toMatchObject([{ file: "files/0001-email.eml" }, { file: "files/0002-email.eml" }]);
  expect(conversations[0].messages[0].original.file).toBe("files/0003-email.eml");
  expect(page).toContain('<a href="files/0001-email.eml">Original email</a>');
  expect(zip.names.map((name) => zip.read(name).toString()).join("\n")).not.toContain("will");
});

test("an export goes when mails that are no message go from it, by their age or with their channel, but not by those of others", async () => {
  const acme = await kit.team();
  const box = await mailbox(acme);
  const contactId = await contactOf(await box.arrives({ from: VERA }));
  const others = await contactOf(await box.arrives({ from: "will@vera.example" }));
  await acme.patch(`/channels/${box.id}`, { state: "paused" });
  for (const name of ["old", "new"])
    await box.post(`From: ${VERA}\r\nMessage-ID: <${name}@v.example>\r\n\r\nI am ${name}`);
  await query(
    kit.storage,
    `UPDATE mail_imports SET state = 'failed', taken_at = 0 WHERE key = (
      SELECT min(key) FROM mail_imports WHERE team_id = '${acme.teamId}' AND state = 'stored')`,
  );
  const stays = await exported(acme, others);
  for (const goes of [
    () => eraseOldFiles(kit, acme.teamId),
    async () => void expect((await acme.delete(`/channels/${box.id}`)).status).toBe(200),
  ]) {
    const { id } = await exported(acme, contactId);
    await goes();
    expect((await acme.get(`/exports/${id}`)).status).toBe(404);
  }
  expect((await acme.get(`/exports/${stays.id}`)).status).toBe(200);
});
