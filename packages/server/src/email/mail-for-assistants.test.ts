/** How assistants see and answer mails (additions, section 1: conversations of channels). */
import { startTestApp } from "@frontdesk/testing/test-kit";
import { connect } from "@frontdesk/testing/tool-caller";
import { expect, test } from "vitest";
import { mailRoom } from "./out/mailbox-for-tests.ts";

const kit = await startTestApp({ CHANNEL_ALLOWED_NETWORKS: "127.0.0.1" });
const { app, team } = kit;
await app.start();
const { mailbox } = mailRoom(kit);

test("a conversation has its subject, the Message-ID of its first mail and the address of its mailbox", async () => {
  const acme = await team();
  const box = await mailbox(acme);
  const robin = await connect(app, acme);
  const id = await box.arrives({ more: ["Message-ID: <asked@vera.example>", "Subject: Re: Size 40?"] });
  const subject = { email_subject: "Size 40?" };
  const itself = { ...{ id, widget_id: null, origin: "email", origin_url: null }, ...subject };
  const account = { external_identifier: "<asked@vera.example>", social_account_identifier: box.address };
  expect((await robin.result("get-conversation", { conversation_id: id })).conversation).toMatchObject({
    ...itself,
    ...account,
  });
  expect((await robin.result("list-conversations")).conversations).toMatchObject([itself]);
  expect((await robin.result("search-conversations", { query: "vera" })).conversations).toMatchObject([
    { ...{ id, origin: "email" }, ...subject },
  ]);
});

test("automatic mail is listed when system messages are asked for", async () => {
  const acme = await team();
  const box = await mailbox(acme);
  const robin = await connect(app, acme);
  const id = await box.arrives({ more: ["Message-ID: <asked-2@vera.example>"] });
  await box.arrives({ more: ["In-Reply-To: <asked-2@vera.example>", "Auto-Submitted: auto-replied"], text: "Away" });
  const messages = async (more: object) =>
    (await robin.result("list-conversation-messages", { conversation_id: id, ...more })).messages;
  expect(await messages({})).toHaveLength(1);
  expect(await messages({ include_system_messages: true })).toMatchObject([
    { is_system_message: true, content: expect.stringContaining("Away") },
    { is_system_message: false, origin: "email" },
  ]);
});

test("a reply leaves as a mail, and is refused with the reason where none can", async () => {
  const acme = await team();
  const box = await mailbox(acme);
  const robin = await connect(app, acme);
  const conversation_id = await box.arrives();
  const send = () => robin.call("send-message", { conversation_id, content: "Yes, in stock." });
  expect((await send()).status).toBe(200);
  await expect.poll(() => box.smtp.mails.map(({ to }) => to)).toEqual([["vera@vera.example"]]);
  await acme.patch(`/channels/${box.id}`, { state: "paused" });
  const refused = await send();
  expect(refused.status).toBeGreaterThanOrEqual(400);
  expect(refused.text).toContain("This channel is paused.");
});
