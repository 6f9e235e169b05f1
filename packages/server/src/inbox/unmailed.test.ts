/** Whether agents are told that no mail brings a reply to a visitor who has left (docs/decisions/0024-care-for-visitors.md). */
import { browser } from "@frontdesk/testing/browser-visitor";
import { adasInbox } from "@frontdesk/testing/inbox-client";
import { block } from "@frontdesk/testing/insert-rows";
import { openLoft } from "@frontdesk/testing/pigeon";
import { startTestApp, type TestApp } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";

const withoutMail = await startTestApp();
const withMail = await startTestApp({ SMTP_URL: "smtp://127.0.0.1:1" });

/** A team, and what its agents are told of a conversation. */
async function acmeAtWork(kit: TestApp) {
  const acme = await kit.team();
  const ada = adasInbox(kit.app, acme);
  return {
    acme,
    told: async (conversationId: string) => (await ada.get(`/conversations/${conversationId}`)).unmailed,
    chats: async (more: object = {}) => (await browser(kit.app, acme).write("Hello", more)).body,
  };
}

test("a visitor without an e-mail gets no mail, and without a mail server nobody does", async () => {
  for (const [kit, withAddress, withoutAddress] of [
    [withMail, null, "no-email"],
    [withoutMail, "mail-off", "mail-off"],
  ] as const) {
    const { chats, told } = await acmeAtWork(kit);
    const known = await chats({ email: "vera@acme.test" });
    expect(await told(known.message.conversation_id)).toBe(withAddress);
    const unknown = await chats();
    expect(await told(unknown.message.conversation_id)).toBe(withoutAddress);
  }
});

test("nothing is said of a blocked visitor, a contact of a program, and another channel: no mail was ever due", async () => {
  for (const kit of [withMail, withoutMail]) {
    const { acme, chats, told } = await acmeAtWork(kit);
    const { contact, message } = await chats();
    await block(kit.storage, acme, contact.id);
    expect(await told(message.conversation_id)).toBeNull();
    expect(await told((await veraWrites(acme)).conversationId)).toBeNull();
    const loft = await openLoft(kit, acme);
    expect(await told((await loft.letter()).conversationId)).toBeNull();
  }
});
