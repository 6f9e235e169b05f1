/** Incoming messages by another channel than the website (docs/decisions/0040-channel-accounts.md). */

import { block } from "@frontdesk/testing/insert-rows";
import { openLoft } from "@frontdesk/testing/pigeon";
import { appOn, openBeside, query } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import {
  adaReplies,
  adaSets,
  contactOf,
  conversationOf,
  eventNamesOf,
  veraArrives,
  veraWrites,
} from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";
import { type AgentMessageInput, sendMessage } from "../conversations/send-message.ts";
import { channelAccountById } from "./channel-account-store.ts";
import { importMessage } from "./import-message.ts";

const kit = await startTestApp();
const { app, storage, team, clock, runtime } = kit;
const HOUR_MS = 3_600_000;

/** A team with a loft. */
async function acmeWithLoft() {
  const acme = await team();
  return { acme, loft: await openLoft(kit, acme) };
}

describe("who wrote", () => {
  test("is the contact that is known by the identity in this account, else a new one of the home widget", async () => {
    const { acme, loft } = await acmeWithLoft();
    const first = await loft.letter({ ring: "A", details: { name: "Petra", phone: "+4930123" } });
    expect(await contactOf(acme, first.contactId)).toMatchObject({
      name: "Petra",
      phone: "+4930123",
      widget_id: acme.widgetId,
      widget_name: "Website",
    });
    expect((await loft.letter({ ring: "A", details: { name: "Somebody else" } })).contactId).toBe(first.contactId);
    expect((await loft.letter({ ring: "B" })).contactId).not.toBe(first.contactId);
    expect((await contactOf(acme, first.contactId)).name).toBe("Petra");
  });

  test("is another one in another account, though the identity is spelled the same", async () => {
    const { acme, loft } = await acmeWithLoft();
    const other = await openLoft(kit, acme);
    const [here, there] = [await loft.letter({ ring: "A" }), await other.letter({ ring: "A" })];
    expect(there.contactId).not.toBe(here.contactId);
    expect(there.conversationId).not.toBe(here.conversationId);
  });

  test("is known by any of several identities, and by each of them from then on", async () => {
    const { loft } = await acmeWithLoft();
    const ring = { kind: "ring", value: "A" };
    const tattoo = { kind: "tattoo", value: "A" };
    const { contactId } = await loft.letter({ identities: [ring] });
    expect((await loft.letter({ identities: [tattoo, ring] })).contactId).toBe(contactId);
    expect((await loft.letter({ identities: [tattoo] })).contactId).toBe(contactId);
    // An identity of another contact stays theirs.
    const other = await loft.letter({ identities: [{ kind: "ring", value: "B" }] });
    expect((await loft.letter({ identities: [{ kind: "ring", value: "B" }, tattoo] })).contactId).toBe(other.contactId);
    expect((await loft.letter({ identities: [tattoo] })).contactId).toBe(contactId);
  });

  test("is never a contact whose address was only typed", async () => {
    const { acme, loft } = await acmeWithLoft();
    const typed = { email: "petra@visitor.test", phone: "+4930123", name: "Petra" };
    const visitor = await veraWrites(acme, typed);
    const letter = await loft.letter({ identities: [{ kind: "email", value: typed.email }], details: typed });
    expect(letter.contactId).not.toBe(visitor.contactId);
    expect(letter.conversationId).not.toBe(visitor.conversationId);
    // Neither does a change by the team make an identity of it.
    await acme.put(`/contacts/${visitor.contactId}`, { email: "ring@visitor.test" });
    const another = await loft.letter({ identities: [{ kind: "email", value: "ring@visitor.test" }] });
    expect(another.contactId).not.toBe(visitor.contactId);
  });

  test("is refused once the team has blocked them, and nothing is written", async () => {
    const { acme, loft } = await acmeWithLoft();
    const { contactId } = await loft.letter({ ring: "A" });
    await block(storage, acme, contactId);
    const names = await eventNamesOf(acme, async () => {
      await expect(loft.letter({ ring: "A" })).rejects.toThrow("This contact is blocked.");
    });
    expect(names).toEqual([]);
  });
});

describe("contacts of other channels", () => {
  test("are never found by POST /conversations: not by id, and not by e-mail", async () => {
    const { acme, loft } = await acmeWithLoft();
    const email = "petra@visitor.test";
    const { contactId, conversationId } = await loft.letter({ details: { name: "Petra", email } });
    const byId = await veraWrites(acme, { contact_id: contactId });
    expect(byId.contactId).not.toBe(contactId);
    const byEmail = await veraWrites(acme, { email });
    expect([contactId, byId.contactId]).not.toContain(byEmail.contactId);
    const byBoth = await veraWrites(acme, { contact_id: contactId, email });
    expect(byBoth.contactId).toBe(byEmail.contactId);
    expect((await conversationOf(acme, conversationId)).unread_messages).toBe(1);
  });

  test("are never found by POST /contacts/initialize", async () => {
    const { acme, loft } = await acmeWithLoft();
    const email = "petra@visitor.test";
    const { contactId } = await loft.letter({ details: { email } });
    expect(await veraArrives(acme, { email })).not.toBe(contactId);
  });
});

describe("the conversation", () => {
  test("is the contact's latest one in the account, reopened when it was resolved", async () => {
    const { acme, loft } = await acmeWithLoft();
    const { conversationId } = await loft.letter();
    await adaSets(acme, conversationId, "resolved");
    const names = await eventNamesOf(acme, async () => {
      expect((await loft.letter()).conversationId).toBe(conversationId);
    });
    expect(names).toEqual(["conversation.reopened", "message.received"]);
    expect(await conversationOf(acme, conversationId)).toMatchObject({ is_resolved: false, unread_messages: 2 });
  });

  test("is a new one, or a named one of the contact in the account, where the import says so", async () => {
    const { acme, loft } = await acmeWithLoft();
    const first = await loft.letter({ ring: "A" });
    const second = await loft.letter({ ring: "A", into: "new" });
    expect(second).toMatchObject({ contactId: first.contactId });
    expect(second.conversationId).not.toBe(first.conversationId);
    const into = { conversationId: first.conversationId };
    expect((await loft.letter({ ring: "A", into })).conversationId).toBe(first.conversationId);
    // Of another contact, of the website, unknown, and an invalid id: each begins a new one.
    const visitor = await veraWrites(acme);
    const known = [first.conversationId, second.conversationId, visitor.conversationId];
    for (const conversationId of [visitor.conversationId, runtime.newId(), "1 or 1"]) {
      const letter = await loft.letter({ ring: "A", into: { conversationId } });
      expect(known).not.toContain(letter.conversationId);
      known.push(letter.conversationId);
    }
    // Neither does another known contact of the account join it.
    known.push((await loft.letter({ ring: "B" })).conversationId);
    expect(known).not.toContain((await loft.letter({ ring: "B", into })).conversationId);
  });

  test("of the website is not joined by a contact who is known in both", async () => {
    const { acme, loft } = await acmeWithLoft();
    const visitor = await veraWrites(acme);
    await query(
      storage,
      `INSERT INTO contact_identities (team_id, account_id, kind, value, contact_id)
        VALUES ('${acme.teamId}', '${loft.accountId}', 'ring', 'A', '${visitor.contactId}')`,
    );
    const letter = await loft.letter({ ring: "A" });
    expect(letter.contactId).toBe(visitor.contactId);
    expect(letter.conversationId).not.toBe(visitor.conversationId);
    clock.advance(1);
    expect((await loft.letter({ ring: "A" })).conversationId).toBe(letter.conversationId);
    expect((await veraWrites(acme, { contact_id: visitor.contactId })).conversationId).toBe(visitor.conversationId);
  });
});

describe("the message", () => {
  const stored = async (id: string) =>
    (await query(storage, `SELECT * FROM messages WHERE id = '${id}'`))[0] as Record<string, unknown>;

  test("has the origin of the channel, and so has the reply to it", async () => {
    const { acme, loft } = await acmeWithLoft();
    const { messageId, conversationId } = await loft.letter();
    expect(await stored(messageId)).toMatchObject({ origin: "messenger", sent_via: "channel", agent_id: null });
    const reply = await adaReplies(acme, conversationId);
    expect(await stored(reply)).toMatchObject({ origin: "messenger", sent_via: "api", agent_id: acme.ada.id });
    const { body } = await acme.get(`/conversations/${conversationId}/messages`);
    expect(body.data.map(({ attributes }: { attributes: { origin: string } }) => attributes.origin)).toEqual([
      "messenger",
      "messenger",
    ]);
  });

  test("is of the moment at which it was written there, and of no later one than now", async () => {
    const { acme, loft } = await acmeWithLoft();
    const now = clock.now();
    const { messageId, contactId, conversationId } = await loft.letter({ occurredAt: now - HOUR_MS });
    expect((await stored(messageId)).created_at).toBe(now - HOUR_MS);
    // The team could not answer before it came in.
    const waiting = `SELECT waiting_since FROM conversations WHERE id = '${conversationId}'
      UNION ALL SELECT waiting_since FROM episodes WHERE conversation_id = '${conversationId}'`;
    expect((await query(storage, waiting)).map(({ waiting_since }) => Number(waiting_since))).toEqual([now, now]);
    const activeAt = async () => Date.parse((await contactOf(acme, contactId)).last_active_at);
    expect(await activeAt()).toBe(now - HOUR_MS);
    const { messageId: early } = await loft.letter({ occurredAt: now + HOUR_MS });
    expect((await stored(early)).created_at).toBe(now);
    expect(await activeAt()).toBe(now);
  });

  test("is noted at its account, once a minute", async () => {
    const { acme, loft } = await acmeWithLoft();
    const receivedAt = async () => {
      const itself = { team_id: acme.teamId, id: loft.accountId };
      return (await storage.first(channelAccountById, itself))?.last_received_at;
    };
    expect(await receivedAt()).toBeNull();
    await loft.letter();
    const first = clock.now();
    clock.advance(59_000);
    await loft.letter();
    expect(await receivedAt()).toBe(first);
    clock.advance(2_000);
    await loft.letter();
    expect(await receivedAt()).toBe(clock.now());
  });
});

describe("an id that is known", () => {
  test("is answered with the message that is there, and nothing is made", async () => {
    const { acme, loft } = await acmeWithLoft();
    const first = await loft.letter({ externalId: "7", attachments: [{ url: "https://loft.test/feather.png" }] });
    expect(first.isNew).toBe(true);
    await adaSets(acme, first.conversationId, "resolved");
    const names = await eventNamesOf(acme, async () => {
      const again = await loft.letter({ externalId: "7", ring: "another", content: "Something else" });
      expect(again).toEqual({ ...first, isNew: false });
    });
    expect(names).toEqual([]);
    expect((await acme.get("/contacts")).body.meta.pagination.total).toBe(1);
  });

  test("is the account's own: another account's and another team's are others", async () => {
    const { acme, loft } = await acmeWithLoft();
    const lofts = [loft, await openLoft(kit, acme), (await acmeWithLoft()).loft];
    const letters = await Promise.all(lofts.map((one) => one.letter({ externalId: "7" })));
    expect(letters.map(({ isNew }) => isNew)).toEqual([true, true, true]);
  });

  test("makes one message when two processes import it at once", async () => {
    const { acme, loft } = await acmeWithLoft();
    const beside = await appOn({ storage: await openBeside(storage), runtime });
    const ids = Array.from({ length: 12 }, (_, number) => `at once ${number}`);
    const arrive = (externalId: string) =>
      [app, beside, app, beside].map(({ perform }) => loft.letter({ externalId, ring: externalId }, perform));
    const letters = await Promise.all(ids.map((id) => Promise.all(arrive(id))));
    for (const four of letters) {
      expect(four.filter(({ isNew }) => isNew)).toHaveLength(1);
      expect(new Set(four.map(({ messageId }) => messageId)).size).toBe(1);
    }
    expect((await acme.get("/conversations/all")).body.meta.pagination.total).toBe(ids.length);
    expect((await acme.get("/contacts")).body.meta.pagination.total).toBe(ids.length);
  });
});

describe("who may", () => {
  const letter = {
    ...{ externalId: "1", identities: [{ kind: "ring", value: "A" }] as const, details: {}, content: "Hi" },
    ...{ attachments: [], occurredAt: clock.now() },
  };

  test("a channel account imports, and does nothing else", async () => {
    const { acme, loft } = await acmeWithLoft();
    const { conversationId } = await loft.letter();
    const reply: AgentMessageInput = {
      ...{ conversationId, type: "message", content: "Hi", agentId: acme.ada.id, attachments: [] },
    };
    await expect(app.perform(loft.actor, sendMessage, reply)).rejects.toMatchObject({
      reason: { name: "not-allowed" },
    });
  });

  test("an account of another team, a deleted one and none are not there", async () => {
    const { acme, loft } = await acmeWithLoft();
    const sams = await team();
    const imports = (teamId: string, accountId: string) =>
      app.perform({ kind: "channel", teamId, accountId }, importMessage, letter);
    const missing = { reason: { name: "not-found", what: "channel" } };
    await expect(imports(sams.teamId, loft.accountId)).rejects.toMatchObject(missing);
    await expect(imports(acme.teamId, runtime.newId())).rejects.toMatchObject(missing);
    await query(storage, `UPDATE channel_accounts SET deleted_at = 1 WHERE id = '${loft.accountId}'`);
    await expect(imports(acme.teamId, loft.accountId)).rejects.toMatchObject(missing);
  });
});
